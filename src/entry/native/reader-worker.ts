import { getPriority, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { kindOfFault, messageOf } from '../../store/faults.ts';
import { StatementCache } from '../../store/local/native.ts';
import { reduced } from '../../store/local/reduced.ts';
import { connect } from './connection.ts';
import type { FromReader, ReaderData, ToReader } from './reader-messages.ts';

/** A reader thread: each query is one statement, so its snapshot is as new as the moment at which it begins. */
const port = parentPort!;
const { path, busyTimeout } = workerData as ReaderData;
const send = (message: FromReader) => port.postMessage(message);

/** As the commands of Unix say it: so much lower than what the process has. */
const nicer = 5;

/** Where cores are few, the thread that serves goes first: short answers wait for it, and a query may take longer. */
function stepBack(): void {
  // Elsewhere the call is about the whole process.
  if (platform() !== 'linux') return;
  try {
    setPriority(0, Math.min(getPriority(0) + nicer, 19));
  } catch {
    // A sandbox may refuse it: then all threads are alike.
  }
}

try {
  stepBack();
  const connection = connect(path, { busyTimeout, readOnly: true });
  const cache = new StatementCache(connection);
  port.on('message', (message: ToReader) => {
    if ('close' in message) {
      cache.clear();
      connection.close();
      send({ closed: true });
      return;
    }
    try {
      const { sql, args, most } = message;
      const statement = cache.get(sql);
      const rows = most === 'all' ? statement.all(args) : statement.first(args);
      send({ rows: typeof most === 'object' ? reduced(rows, most) : rows });
    } catch (error) {
      const kind = kindOfFault(error);
      send({ fault: kind === 'constraint' ? 'unavailable' : kind, explanation: messageOf(error) });
    }
  });
} catch (error) {
  send({ dead: messageOf(error) });
}
