"""The caller's signing side (§3.1, §3.2): its keys, its JWKS, its tokens, and forgeries of them.

Tokens are put together segment by segment on the primitives of `cryptography`: a JWT library
refuses to make what a Provider has to refuse. The counterparts share none of this code.
"""
