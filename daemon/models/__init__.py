"""Embedding models: which there are, getting others, and the process that runs one.

`worker_embedder` is how the daemon embeds (in a child process), `in_process` how one-shot commands do. Only
`onnx_model` and `download` import fastembed, and no runtime is loaded without them.
"""

import os

# onnxruntime (1.31 at least) sends usage events to mobile.events.data.microsoft.com, and leaves a device id and a queue
# of events in the user's folders, from the moment it is imported. It asks this variable then, so it is set here, above
# every module that imports it; a process started from here inherits it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
