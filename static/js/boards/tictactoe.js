// Tic-tac-toe: a mark draws itself.
import { bringToLife, drawMark } from "./motion.js";

bringToLife("tictactoe", (match, moved) => drawMark(document.getElementById(`cell-${moved}`), 0));
