"""The embedding model, its tokenizer, and the process that runs it.

`protocol` says what embeds; `worker_embedder` is how the daemon does it (a child process), `in_process_embedder` how
one-shot commands do. Only `loading` and `download` import fastembed, and no runtime is loaded without them.
"""

import os

# onnxruntime (1.31 at least) sends usage events to mobile.events.data.microsoft.com, and leaves a device id and a queue
# of events in the user's folders, from the moment it is imported. It asks this variable then, so it is set here, above
# every module that imports it; a process started from here inherits it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
