"""Units of measure and how they turn into one another, by their Turkish and English names.

A table of our own and no library: it knows the Turkish names, and what one of blood sugar or of
HbA1c is in the other unit, which depends on what is measured and not on the unit alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from types import MappingProxyType

from desktop.language.normalization import folded_key

_TABLE = """
length
1       m metre meter meters metres
1000    km kilometre kilometer kilometers kilometres
0.01    cm santimetre santim centimeter centimeters centimetre
0.001   mm milimetre millimeter millimeters millimetre
0.000001 µm mikron mikrometre micron micrometer
0.000000001 nm nanometre nanometer
0.0254  in inç inch inches
0.3048  ft fit foot feet
0.9144  yd yarda yard yards
1609.344 mi mil mile miles
1852    nmi deniz_mili nautical_mile nautical_miles
mass
1       kg kilogram kilo kilos kilograms
0.001   g gr gram grams
0.000001 mg miligram milligram milligrams
0.000000001 µg mcg mikrogram microgram micrograms
1000    t ton tonne tonnes
0.45359237 lb lbs libre pound pounds
0.028349523125 oz ons ounce ounces
6.35029318 st stone stones
volume
1       l lt litre liter liters litres
0.1     dl desilitre deciliter
0.01    cl santilitre centiliter
0.001   ml cc mililitre milliliter milliliters cm3 cm³ santimetreküp
1000    m3 m³ metreküp cubic_meter cubic_metre
3.785411784 gal galon gallon gallons
0.473176473 pt pint pints
0.2365882365 cup cups
0.0295735295625 fl_oz fluid_ounce fluid_ounces
0.01478676478125 tbsp tablespoon tablespoons
0.00492892159375 tsp teaspoon teaspoons
time
1       s sn saniye sec second seconds
0.001   ms milisaniye millisecond milliseconds
60      min dk dakika minute minutes
3600    h sa saat hour hours
86400   gün day days
604800  hafta week weeks
31557600 yıl sene year years
energy
1       j jul joule joules
1000    kj kilojul kilojoule kilojoules
4.184   cal
4184    kcal kilokalori kalori kilocalorie kilocalories calorie calories
3600    wh watt_saat
3600000 kwh kilovat_saat kilowatt_hour kilowatt_hours
speed
1       m/s metre/saniye
0.277777777777777777777777777777777777778 km/h km/sa km/saat kmh kph
0.44704 mph mil/saat mi/h
0.514444444444444444444444444444444444444 kn knot knots deniz_mili/saat
area
1       m2 m² metrekare square_meter square_meters square_metre
10000   ha hektar hectare hectares
1000    dönüm dekar
1000000 km2 km² kilometrekare square_kilometer square_kilometers
0.0001  cm2 cm² santimetrekare
4046.8564224 ac akre acre acres
0.09290304 ft2 ft² fitkare square_foot square_feet
data
1       b bayt byte bytes
0.125   bit bits
1000    kb kilobayt kilobyte kilobytes
1000000 mb megabayt megabyte megabytes
1000000000 gb gigabayt gigabyte gigabytes
1000000000000 tb terabayt terabyte terabytes
1024    kib kibibyte
1048576 mib mebibyte
1073741824 gib gibibyte
1099511627776 tib tebibyte
125000  mbit megabit megabits
125000000 gbit gigabit gigabits
pressure
1       pa pascal
100     hpa mbar milibar
1000    kpa
100000  bar
133.322387415 mmhg
101325  atm
6894.757293168 psi
temperature
1       k kelvin
1       °c c celsius santigrat derece
1       °f f fahrenheit
glucose
1       mmol/l
0.0555074712 mg/dl
hba1c
1       mmol/mol ifcc
1       % hba1c ngsp yüzde
"""
# A millimole of glucose weighs 180.156 mg. HbA1c by the IFCC's and the NGSP's master equation:
# NGSP = 0.09148 IFCC + 2.152.
_KELVIN = Decimal("273.15")
_NINE_FIFTHS = Decimal("1.8")
_FREEZING = Decimal(32)
_NGSP, _NGSP_OFFSET = Decimal("0.09148"), Decimal("2.152")
_FIGURES_OF_MEASURED = 3
MEASURED = frozenset({"glucose", "hba1c"})
"""Of what was measured in blood more figures than these would only seem exact."""


@dataclass(frozen=True, slots=True)
class Unit:
    name: str
    """As it is written: the first of its names."""
    dimension: str
    factor: Decimal


_SHOWN: Mapping[str, str] = MappingProxyType(
    {
        "l": "L", "dl": "dL", "cl": "cL", "ml": "mL", "j": "J", "kj": "kJ", "wh": "Wh",
        "kwh": "kWh", "b": "B", "kb": "kB", "mb": "MB", "gb": "GB", "tb": "TB", "kib": "KiB",
        "mib": "MiB", "gib": "GiB", "tib": "TiB", "mbit": "Mbit", "gbit": "Gbit", "pa": "Pa",
        "hpa": "hPa", "kpa": "kPa", "mmhg": "mmHg", "k": "K", "°c": "°C", "°f": "°F",
        "mmol/l": "mmol/L", "mg/dl": "mg/dL" }
)  # fmt: skip


def unit_of(name: str) -> Unit | None:
    return _units().get(_key(name))


def converted(value: Decimal, unit: Unit, to: Unit) -> Decimal | None:
    """None where the one cannot be told in the other."""
    if unit.dimension != to.dimension:
        return None
    match unit.dimension:
        case "temperature":
            return _from_kelvin(_to_kelvin(value, unit.name), to.name)
        case "hba1c":
            return _hba1c(value, unit.name, to.name)
        case _:
            return value * unit.factor / to.factor


def figures_of(unit: Unit) -> int | None:
    """How many figures a converted value has that mean something; None: as many as there are."""
    return _FIGURES_OF_MEASURED if unit.dimension in MEASURED else None


def _to_kelvin(value: Decimal, unit: str) -> Decimal:
    match unit:
        case "°C":
            return value + _KELVIN
        case "°F":
            return (value - _FREEZING) / _NINE_FIFTHS + _KELVIN
        case _:
            return value


def _from_kelvin(value: Decimal, unit: str) -> Decimal:
    match unit:
        case "°C":
            return value - _KELVIN
        case "°F":
            return (value - _KELVIN) * _NINE_FIFTHS + _FREEZING
        case _:
            return value


def _hba1c(value: Decimal, unit: str, to: str) -> Decimal:
    if unit == to:
        return value
    return (value - _NGSP_OFFSET) / _NGSP if unit == "%" else value * _NGSP + _NGSP_OFFSET


@cache
def _units() -> Mapping[str, Unit]:
    return MappingProxyType({_key(name): unit for name, unit in _rows()})


def _rows() -> Iterator[tuple[str, Unit]]:
    dimension = ""
    for line in _TABLE.strip().splitlines():
        first, *names = line.split()
        if not names:
            dimension = first
            continue
        shown = _SHOWN.get(names[0], names[0].replace("_", " "))
        unit = Unit(shown, dimension, Decimal(first))
        yield from ((name, unit) for name in names)


def _key(name: str) -> str:
    """Names are told apart without their case; "km / h" and "fluid ounce" are one word each."""
    plain = "_".join(name.replace("μ", "µ").replace(" / ", "/").strip(" .").split())
    return folded_key(plain) if plain.replace("_", "").isalpha() else plain.lower()
