"""What the techniques share about Quixo: bit boards, pushes, endgame tables."""
