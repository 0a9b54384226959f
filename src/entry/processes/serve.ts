import { availableParallelism } from 'node:os';
import { SettingError, type Settings } from '../../composition/settings.ts';
import { startServer } from '../serve.ts';
import { untilTold } from '../until-told.ts';
import { serveByOthers } from './primary.ts';
import { portOfPrimary, serveBesideOthers } from './serving.ts';

/** Serves until the process is told to stop, by this process or by several. */
export async function serve(settings: Settings): Promise<void> {
  const port = portOfPrimary();
  if (port !== undefined) return serveBesideOthers(settings, port);
  const { processes, database } = settings;
  const count = processes === 'auto' ? availableParallelism() : processes;
  if (count > 1 && database === 'memory:')
    throw new SettingError('Expected one process in PORTICO_PROCESSES: several share no database in memory');
  if (count > 1) return serveByOthers(settings, count);
  const running = await startServer(settings);
  await untilTold(running, settings.stopTimeout).ended;
  await running.stop();
}
