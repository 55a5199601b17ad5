"""`bellek completion`: a script for bash, zsh or fish, made from the grammar."""

from argparse import SUPPRESS, Action
from collections.abc import Iterator, Sequence
from string import Template

from desktop.cli.parser import Parser

_POSIX = """_bellek_words() {
  case "$$1" in
$cases
    *) return 1 ;;
  esac
}
_bellek_found() {
  local at="" word found last=""
  for word in "$$@"; do
    last="$$word"
    case "$$word" in -*) continue ;; esac
    if _bellek_words "$${at:+$$at }$$word" >/dev/null; then at="$${at:+$$at }$$word"; fi
  done
  case "$$last" in -*) _bellek_words "$${at:+$$at }$$last" && return ;; esac
  _bellek_words "$$at"
}
"""
_BASH = """_bellek() {
  COMPREPLY=($$(compgen -W "$$(_bellek_found "$${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "$$2"))
}
complete -o default -F _bellek bellek
"""
_ZSH = """_bellek() {
  local -a found
  found=($${=$$(_bellek_found "$${words[@]:1:$$((CURRENT - 2))}")})
  compadd -a found || _files
}
compdef _bellek bellek
"""
_FISH = """function __bellek_words
  switch "$$argv[1]"
$cases
    case '*'
      return 1
  end
end
function __bellek_found
  set -l at ''
  set -l given (commandline -opc)
  for word in $$given[2..]
    string match -q -- '-*' $$word; and continue
    set -l next (string trim -- "$$at $$word")
    __bellek_words $$next >/dev/null; and set at $$next
  end
  if string match -q -- '-*' $$given[-1]
    __bellek_words (string trim -- "$$at $$given[-1]"); and return
  end
  __bellek_words $$at
end
complete -c bellek -a '(__bellek_found)'
"""
_CASES = {"fish": "    case '{at}'\n      for word in {words}; echo $word; end; true"}
_CASE = "    '{at}') echo '{words}' ;;"
_SCRIPTS = {"bash": _POSIX + _BASH, "zsh": _POSIX + _ZSH, "fish": _FISH}


def completion_script(parser: Parser, shell: str) -> str:
    form = _CASES.get(shell, _CASE)
    cases = [form.format(at=at, words=" ".join(words)) for at, words in _entries(parser)]
    return Template(_SCRIPTS[shell]).substitute(cases="\n".join(cases))


def _entries(parser: Parser, command: str = "") -> Iterator[tuple[str, Sequence[str]]]:
    """Yield what may follow a command, and what may follow an option of it that takes a value.

    Nothing follows where the shell completes the name of a file.
    """
    shown = [one for one in parser.arguments if one.help is not SUPPRESS]
    flags = [flag for one in shown for flag in one.option_strings]
    values = [word for one in shown if not one.option_strings for word in _choices(one)]
    yield command, [*parser.subcommands, *values, *flags, "--help"]
    for one in shown:
        for flag in one.option_strings if one.nargs != 0 else ():
            yield f"{command} {flag}".strip(), _choices(one)
    for name, each in parser.subcommands.items():
        yield from _entries(each, f"{command} {name}".strip())


def _choices(argument: Action) -> list[str]:
    return list(map(str, argument.choices or ()))
