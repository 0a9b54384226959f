import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../core/lib/errors.ts';
import { messageOf } from '../../core/store/faults.ts';
import { Executor } from '../../core/store/local/executor.ts';
import { connect } from './connection.ts';
import { type FromWriter, GroupDecoder, groupAnswer, type ToWriter } from './writer-messages.ts';

/** The writer thread: the only place where a commit waits for the disk or for a lock. */
export interface WriterData {
  readonly path: string;
  readonly busyTimeout: number;
}

const port = parentPort!;
const { path, busyTimeout } = workerData as WriterData;
const send = (message: FromWriter) => port.postMessage(message);
const open = () => connect(path, { busyTimeout });

try {
  const executor = new Executor(open(), open);
  const decoder = new GroupDecoder();
  port.on('message', (message: ToWriter) => {
    if ('close' in message) {
      executor.close();
      send({ closed: true });
      return;
    }
    try {
      send(groupAnswer(message.group, executor.runGroup(...decoder.decode(message))));
    } catch (error) {
      const refusal = error instanceof ServiceError ? error : undefined;
      const explanation = refusal?.detail.explanation ?? messageOf(error);
      send({ group: message.group, failed: { code: refusal?.code ?? 'internal', explanation } });
      if (executor.stuck) send({ dead: 'The writer could not undo a failed group' });
    }
  });
  send({ ready: true });
} catch (error) {
  send({ dead: messageOf(error) });
}
