"""Record what MindSpore's image operations do with images of every type: image_types.jsonl."""

import oracle  # noqa: F401  MindSpore, with its settings

# isort: split
import golden_files
from cases_image_types import CASES, images, outcome

golden_files.write(
    "image_types", {f"{operation} | {name}": outcome(operation, images()[name]) for operation, name in CASES}
)
