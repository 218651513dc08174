"""The first file of a worker: Python is given its path, with `-P`, as in `pigevo.sweeps.start`.

So nothing is imported from the working folder, and the worker has the very pigevo that this file belongs to.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

if __name__ == "__main__":
    package = Path(__file__).resolve().parents[1]
    spec = spec_from_file_location("pigevo", package / "__init__.py", submodule_search_locations=[str(package)])
    sys.modules["pigevo"] = module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(sys.modules["pigevo"])  # type: ignore[union-attr]

    from pigevo.import_path import working_folder_last

    working_folder_last(str(package.parent))

    from pigevo.benchmark.serve import main

    main()
