"""The bodies of ``recall-lab evaluate``, ``compare``, ``gate`` and ``validate``.

A command is a module with ``SUMMARY`` (one line), ``configure(parser)`` (its arguments) and
``run(arguments) -> int`` (its work and exit code); ``recall_lab.cli`` joins them.
"""
