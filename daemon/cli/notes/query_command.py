"""A command whose arguments are a query, in which `-word` leaves a word out."""

from difflib import get_close_matches

import click


class QueryCommand(click.Command):
    """Takes what begins with one dash, and is no option, for a part of the query; after `--`, all of it.

    Something with two dashes that is no option stays a mistake, so that a misspelt option is not searched for.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line."""
        ctx.ignore_unknown_options = True
        ctx.help_option_names = ["--help"]  # or "-harbour" would ask for help
        options = {name for option in self.get_params(ctx) for name in option.opts}
        own, rest = (args[: args.index("--")], args[args.index("--") :]) if "--" in args else (args, [])
        for arg in own:
            name = arg.partition("=")[0]
            if name.startswith("--") and name not in options and name != "--help" and not ctx.resilient_parsing:
                raise click.NoSuchOption(name, possibilities=get_close_matches(name, options), ctx=ctx)
        return super().parse_args(ctx, ["--help" if arg == "-h" else arg for arg in own] + rest)
