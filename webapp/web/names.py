"""Generated names for students, so that nothing needs moderation, and join codes."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator
from random import Random

CODE_LETTERS = "BCDFGHJKMNPQRSTVWXYZ"  # no vowels: codes spell nothing; none looks like a digit
CODE_LENGTH = 4
TRIES_PER_LENGTH = 10

_ANIMALS = """
Adder Albatross Alpaca Ant Antelope Armadillo Avocet Axolotl Badger Bat Bear Beaver Bee Beetle
Bison Bittern Boar Bream Buffalo Bullfinch Bumblebee Bunting Butterfly Buzzard Camel Canary
Capybara Carp Cat Chameleon Chamois Cheetah Chickadee Chiffchaff Chipmunk Cicada Cockatoo Cod
Coot Cormorant Coyote Crab Crane Cricket Crossbill Crow Cuckoo Curlew Deer Dipper Dolphin
Dormouse Dove Dragonfly Duck Dunlin Dunnock Eagle Eel Egret Eider Elephant Elk Emu Falcon Ferret
Fieldfare Finch Firefly Flamingo Flounder Fox Frog Fulmar Gannet Gazelle Gecko Gibbon Giraffe
Goat Godwit Goldcrest Goldfinch Goose Goshawk Grebe Greenfinch Grouse Guillemot Gull Haddock
Hamster Hare Harrier Hawk Hedgehog Heron Herring Hobby Hoopoe Hornet Horse Ibex Ibis Iguana
Jackdaw Jaguar Jay Kestrel Kingfisher Kite Kiwi Knot Koala Koi Ladybird Lapwing Lark Lemming
Lemur Leopard Linnet Lion Lizard Llama Lobster Lynx Macaw Magpie Mallard Manatee Marlin Marmot
Marten Martin Meerkat Merlin Mink Minnow Mole Moorhen Moose Moth Mouse Mule Mussel Narwhal Newt
Nightingale Nightjar Nuthatch Ocelot Octopus Okapi Opossum Orca Oriole Osprey Ostrich Otter Owl
Oyster Panda Panther Parrot Partridge Peacock Pelican Penguin Perch Petrel Pheasant Pigeon Pike
Pipit Plaice Platypus Plover Pochard Polecat Pony Porcupine Porpoise Prawn Puffin Puma Quail
Rabbit Raccoon Rail Raven Ray Razorbill Redpoll Redshank Redstart Reindeer Robin Roebuck Rook
Ruff Salamander Salmon Sanderling Sandpiper Seahorse Seal Serval Shrew Shrimp Siskin Skua
Skylark Sloth Smew Snail Snipe Sparrow Spoonbill Squid Squirrel Starfish Starling Stickleback
Stilt Stoat Stonechat Stork Swallow Swan Swift Tapir Teal Tern Thrush Tiger Toad Tortoise Toucan
Trout Tuna Turbot Turnstone Turtle Twite Vole Vulture Wagtail Wallaby Walrus Warbler Waxwing
Weasel Whale Wheatear Whimbrel Whinchat Wigeon Wolf Wombat Woodcock Woodlark Woodpecker Wren
Wryneck Yak Zebra
"""
ANIMALS = tuple(_ANIMALS.split())
COLOURS = ("Amber", "Blue", "Copper", "Golden", "Green", "Grey", "Red", "Silver", "White")


def generate_name(taken: Collection[str], rng: Random | None = None) -> str:
    """A free name: an animal, with a colour once all animals are taken."""
    rng = rng or Random(secrets.randbits(64))
    free = [animal for animal in ANIMALS if animal not in taken]
    while not free:
        free = [
            name for animal in ANIMALS if (name := f"{rng.choice(COLOURS)} {animal}") not in taken
        ]
    return rng.choice(free)


def new_codes() -> Iterator[str]:
    """Codes to try, longer ones once several short ones were taken."""
    for length in (CODE_LENGTH, CODE_LENGTH + 1, CODE_LENGTH + 2):
        for _ in range(TRIES_PER_LENGTH):
            yield "".join(secrets.choice(CODE_LETTERS) for _ in range(length))


def read_code(text: str) -> str:
    """Normalise a typed code: upper case, other characters dropped."""
    return "".join(letter for letter in text.upper() if letter in CODE_LETTERS)[: 2 * CODE_LENGTH]
