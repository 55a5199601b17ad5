"""`dataclass` for frozen values, which compiles nothing before the first instance is made.

The standard library compiles six methods while such a class is defined, a third of a millisecond:
for the values that a window loads before its first paint, a tenth of the start. Here `__init__`
is compiled for the first instance, and the other methods are closures. All else (`fields`,
`replace`, inheritance, patterns) is the standard library's.
"""

from typing import TYPE_CHECKING

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses
    from operator import attrgetter

    def dataclass(*, frozen, slots, kw_only=False):
        """Return the decorator of a class that has none of the methods itself."""
        if not frozen:
            raise TypeError("use the dataclass of the standard library")

        def decorate(cls):
            cls.__doc__ = cls.__doc__ or cls.__name__  # else it is made of the signature
            made = dataclasses.dataclass(
                cls,
                init=False,
                repr=False,
                eq=False,
                slots=slots,
                kw_only=kw_only,
            )
            for name, method in _methods(made, dataclasses.fields(made)).items():
                setattr(made, name, method)
            return made

        return decorate

    def _methods(cls, fields):
        compared = [field.name for field in fields if field.compare]
        shown = [field.name for field in fields if field.repr]
        values = attrgetter(*compared) if compared else type

        def init(self, *args, **named):
            cls.__init__ = _compiled_init(fields)
            cls.__init__(self, *args, **named)

        def eq(self, other):
            return values(self) == values(other) if type(self) is type(other) else NotImplemented

        def show(self):
            words = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
            return f"{type(self).__qualname__}({words})"

        return {
            "__init__": init,
            "__eq__": eq,
            "__hash__": lambda self: hash(values(self)),
            "__repr__": show,
            "__setattr__": _refuse,
            "__delattr__": _refuse,
        }

    def _refuse(self, name, *_):
        raise dataclasses.FrozenInstanceError(f"{type(self).__qualname__}.{name}")

    def _compiled_init(fields):
        names = {"set_field": object.__setattr__}
        parameters, lines = ["self"], ["pass"]
        for field in sorted(fields, key=lambda field: field.kw_only):
            name = value = field.name
            if field.kw_only and "*" not in parameters:
                parameters.append("*")
            if field.default is not dataclasses.MISSING:
                names[f"default_{name}"] = field.default
                name = f"{name}=default_{name}"
            elif (factory := field.default_factory) is not dataclasses.MISSING:
                names[f"make_{name}"] = factory
                value = f"make_{name}() if {name} is make_{name} else {name}"
                name = f"{name}=make_{name}"
            parameters.append(name)
            lines.append(f"set_field(self, {field.name!r}, {value})")
        body = "\n ".join(lines)
        exec(f"def __init__({', '.join(parameters)}):\n {body}", names)  # noqa: S102 - as dataclasses do
        return names["__init__"]
