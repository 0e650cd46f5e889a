"""`python -m msjax serve NET.py:make`: serve a network's text over HTTP, as OpenAI's clients ask for it.

`make()` gives the network; or (network, tokenizer), and chats are answered if the tokenizer has a template.
"""

import argparse
import os
import pathlib
import sys

from ..alias.finder import install
from .scripts import NotNamed, named


def main(argv: list[str] | None):
    """Serve until SIGTERM or Ctrl-C; the exit code is 2 if there is nothing to serve."""
    parser = argparse.ArgumentParser(prog="msjax serve", description=__doc__)
    parser.add_argument(
        "net", metavar="NET.py:make", help="a file or a module, and the function in it that makes the network"
    )
    parser.add_argument("--host", default="127.0.0.1", help="where to listen; 0.0.0.0 lets other machines in")
    parser.add_argument("--port", type=int, default=8000, help="0 for any that is free")
    parser.add_argument("--name", help="of the model; the file's name by default")
    parser.add_argument("--slots", type=int, default=8, help="requests that are computed at the same time")
    parser.add_argument("--length", type=int, help="tokens of a request, prompt and new ones")
    parser.add_argument("--weights", choices=["float32", "bfloat16", "float16", "int8"], help="what is computed with")
    parser.add_argument("--cache", choices=["int8", "float8"], help="how keys and values are stored")
    parser.add_argument("--queue", type=int, default=256, help="requests that may wait; others get status 429")
    parser.add_argument("--connections", type=int, default=512, help="at the same time; others get status 503")
    parser.add_argument("--max-body", type=int, default=1 << 20, metavar="BYTES", help="others get status 413")
    parser.add_argument("--max-tokens", type=int, default=4096, help="new ones of a request")
    parser.add_argument(
        "--grace", type=int, default=30, metavar="SECONDS", help="for requests that run when the server is stopped"
    )
    parser.add_argument(
        "--key-env", metavar="NAME", help="the environment variable that holds the key which clients must send"
    )
    given = parser.parse_args(argv)
    try:
        import uvicorn

        from ..serving import Limits, application
    except ImportError as error:
        sys.stderr.write(f"msjax serve: {error}\n")
        return 2
    key = os.environ.get(given.key_env) if given.key_env else None
    if given.key_env and not key:
        parser.error(f"the environment variable {given.key_env} is not set")
    from ..generation import TextGenerator

    install()
    try:
        make = named(given.net)
    except NotNamed as error:
        parser.error(str(error))
    made = make()
    net, tokenizer = made if isinstance(made, tuple) else (made, None)
    generator = TextGenerator(
        net, given.slots, given.length, weights=given.weights, cache=given.cache, queue=given.queue
    )
    name = given.name or pathlib.Path(given.net.rpartition(":")[0]).stem
    app = application(generator, tokenizer, name, Limits(body=given.max_body, tokens=given.max_tokens), key)
    if given.host not in ("127.0.0.1", "localhost", "::1") and key is None:
        sys.stderr.write("msjax serve: other machines can ask for text without a key; --key-env NAME sets one.\n")
    uvicorn.run(
        app,
        host=given.host,
        port=given.port,
        limit_concurrency=given.connections,
        timeout_graceful_shutdown=given.grace,
        log_level="info",
        access_log=False,
    )
    return 0
