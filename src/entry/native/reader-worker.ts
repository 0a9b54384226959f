import { parentPort, workerData } from 'node:worker_threads';
import { kindOfFault, messageOf } from '../../store/faults.ts';
import { StatementCache } from '../../store/local/native.ts';
import { tallied } from '../../store/local/tally.ts';
import { connect } from './connection.ts';
import type { FromReader, ReaderData, ToReader } from './reader-messages.ts';

/** A reader thread: each query is one statement, so its snapshot is as new as the moment at which it begins. */
const port = parentPort!;
const { path, busyTimeout } = workerData as ReaderData;
const send = (message: FromReader) => port.postMessage(message);

try {
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
      send({ rows: typeof most === 'object' ? tallied(rows, most) : rows });
    } catch (error) {
      const kind = kindOfFault(error);
      send({ fault: kind === 'constraint' ? 'unavailable' : kind, explanation: messageOf(error) });
    }
  });
} catch (error) {
  send({ dead: messageOf(error) });
}
