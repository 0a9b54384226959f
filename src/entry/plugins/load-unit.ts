import { dirname, join, relative, sep } from 'node:path';
import { type Clock, noLongerAwaited, systemClock } from '../../core/lib/clock.ts';
import type { Plugin } from '../../spi/index.ts';
import { readPlugin, rememberProbers } from './check-plugin.ts';
import { importDefect } from './import-defect.ts';
import { importModule } from './import-module.ts';
import { Defect } from './plugin-finding.ts';
import { type Pollution, watchPrototypes } from './prototypes.ts';
import { copySources, type Sources, sourcesOf } from './sources.ts';
import { type Unit, unitDefect } from './units.ts';

/** Result of loading a unit: a plugin, or a defect. */
type Outcome = { readonly plugin: Plugin } | { readonly defect: Defect };

export interface LoadedUnit {
  readonly unit: Unit;
  readonly outcome: Outcome;
  /** Real paths of the unit's files. Empty if they were unreadable. */
  readonly files: readonly string[];
}

/** Most milliseconds for loading one module. */
const loadingTime = 10_000;

export interface TimeLimit {
  readonly within?: number;
  readonly sleep?: Clock['sleep'];
}

/** By entry. What has not changed is not loaded again: a process never lets go of a module. */
const remembered = new Map<string, { readonly hash: string; readonly plugin: Plugin }>();
let attempts = 0;

/** Loads each unit once, however often it is asked for: in the ext folder and in security.ini, say. */
export function unitLoader({
  within = loadingTime,
  sleep = systemClock.sleep,
}: TimeLimit = {}): (unit: Unit) => Promise<LoadedUnit> {
  const loading = new Map<string, Promise<LoadedUnit>>();
  return (unit) => {
    const unitLoading = loading.get(unit.entry) ?? loadUnit(unit, { within, sleep });
    loading.set(unit.entry, unitLoading);
    return unitLoading;
  };
}

async function loadUnit(unit: Unit, limit: Required<TimeLimit>): Promise<LoadedUnit> {
  try {
    const sources = await sourcesOf(unit);
    const files = [...sources.files.keys()].map((path) => join(sources.base, path));
    const cached = remembered.get(unit.entry);
    if (cached?.hash === sources.hash) return { unit, files, outcome: cached };
    const outcome = await attempt(unit, sources, limit);
    if ('plugin' in outcome) remembered.set(unit.entry, { hash: sources.hash, ...outcome });
    return { unit, files, outcome };
  } catch (error) {
    return { unit, files: [], outcome: { defect: unitDefect(error) } };
  }
}

async function attempt(unit: Unit, sources: Sources, limit: Required<TimeLimit>): Promise<Outcome> {
  // A name of its own for each: what failed may have failed for the moment only, and a runtime remembers failures.
  const version = `${sources.hash}-${++attempts}`;
  const copy = await copyFor(unit, sources, version);
  const base = copy ?? sources.base;
  const path = join(base, relative(sources.base, unit.entry));
  const typescript = [...sources.files.keys()].some((name) => /\.m?ts$/.test(name));
  const putBack = watchPrototypes();
  let outcome: Outcome;
  try {
    const module = await inTime(importModule(path, typescript, copy === undefined ? version : undefined), limit);
    const plugin = readPlugin(module);
    rememberProbers(plugin, { path, folder: base, isTypeScript: typescript });
    outcome = { plugin };
  } catch (error) {
    outcome = { defect: await explain(error, sources, base) };
  }
  const pollution = putBack();
  if (pollution.changed.length > 0) outcome = { defect: polluted(pollution) };
  return 'defect' in outcome ? { defect: asNamed(outcome.defect, unit) } : outcome;
}

const installed = new Set<string>();

/** Undefined: import it where it lies. What a package manager has installed is left as it is until it changes. */
async function copyFor({ entry }: Unit, sources: Sources, version: string): Promise<string | undefined> {
  if (entry.split(sep).includes('node_modules') && !installed.has(entry)) {
    installed.add(entry);
    return undefined;
  }
  return copySources(sources, version);
}

/** Never throws: an error of a plugin may itself throw when its properties are read. */
async function explain(thrown: unknown, sources: Sources, base: string): Promise<Defect> {
  try {
    return thrown instanceof Defect ? thrown : await importDefect(thrown, sources, base);
  } catch {
    return new Defect('plugin-throws', 'Expected the plugin to load: it threw a value that cannot be inspected');
  }
}

function polluted({ changed, stuck }: Pollution): Defect {
  const names = changed.slice(0, 5).join(', ');
  const rest = stuck.length === 0 ? 'put back' : `cannot be put back, so this process must be started again without it`;
  return new Defect('plugin-pollutes', `Expected a plugin that does not change shared prototypes: ${names}, ${rest}`, {
    severity: stuck.length === 0 ? 'warning' : 'error',
  });
}

/** A file of the plugin as findings name it: by the path that leads there from where we were told to look. */
function asNamed(defect: Defect, { file, entry, folder }: Unit): Defect {
  const { file: path } = defect.position;
  if (path === undefined) return defect;
  const named =
    folder === undefined ? join(dirname(file), relative(dirname(entry), path)) : join(file, relative(folder, path));
  return new Defect(defect.code, defect.message, { ...defect.position, file: named });
}

async function inTime<T>(loading: Promise<T>, { within, sleep }: Required<TimeLimit>): Promise<T> {
  const loaded = new AbortController();
  const late = sleep(within, loaded.signal).then((): never => {
    throw new Defect('plugin-hangs', `Expected the plugin to load within ${within} ms: it is still loading`);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    late.catch(() => undefined);
    loaded.abort(noLongerAwaited);
  }
}
