import process from 'node:process';
import { SettingError, type Settings } from '../../composition/settings.ts';
import { printLine } from '../output.ts';
import { addressOf, startServer, tellAddress } from '../serve.ts';
import { untilTold } from '../until-told.ts';
import { Crew } from './crew.ts';

/**
 * Serves by processes that this one starts. This one has the port, the migrations and the background work, and answers
 * no requests: whatever ends a serving process does not end the work.
 */
export async function serveByOthers(settings: Settings, count: number): Promise<void> {
  if ('Deno' in globalThis && process.platform !== 'linux')
    throw new SettingError('Expected one process in PORTICO_PROCESSES: Deno shares a port on Linux only');
  const running = await startServer(settings, printLine, {
    listens: false,
    works: true,
    processes: { metrics: () => crew.metrics() },
    reloaded: () => crew.reload(),
  });
  const { service } = running;
  const crew: Crew = new Crew({
    count,
    port: settings.port,
    log: service.log,
    figures: service.figures,
    work: service.workStatus,
    changed: service.wake,
  });
  try {
    const port = await crew.start();
    service.log.write('info', 'listening', { address: addressOf(settings.host, port), processes: count });
    tellAddress(running, settings.host, port, printLine);
  } catch (error) {
    await crew.stop();
    await running.stop();
    throw error;
  }
  // Serving processes end themselves when their own limit is over.
  await untilTold(running, settings.stopTimeout + 1).ended;
  service.quiet();
  await crew.stop();
  await running.stop();
}
