def run(folder, seeds, workers):
    from pathlib import Path
    from pigevo.studies.settings import jobs_of, read_settings
    from pigevo.sweeps import run_jobs
    settings = read_settings(Path(__file__).with_name("settings.yaml"))
    jobs = jobs_of(settings, seeds, folder)
    order = [jobs[name][seed] for seed in range(seeds) for name in jobs]
    outcomes = run_jobs(order, workers, "study exeter2016")
    for o in outcomes:
        if o.state != "finished": print(o.state, o.job.folder, o.error)
    per = {}
    for o in outcomes: per.setdefault(o.job.folder.parent.name, []).append(o.seconds)
    for n, s in per.items(): print(n, [round(x,1) for x in s])
