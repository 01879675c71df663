"""§4.3 Retries: a repeated messageId gets the stored reply, and the agent does not run again."""
