import { newUser } from '../../support/cast.ts';
import type { Answer, Entry, Sent, World } from '../../support/matrix.ts';
import { openTranscoding, type TranscodingWorld } from '../../support/media.ts';
import { done, json } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials } from '../../support/service.ts';
import type { WorldOptions } from '../../support/world.ts';

export const machine: Credentials = ['machine', 'password of machine'];
export const otherMachine: Credentials = ['other-machine', 'password of other-machine'];

export const abilities = [
  ...['kind:transcode', 'kind:stills', 'kind:probe', 'container:wav', 'container:mp4'],
  ...['video:h264', 'audio:aac', 'still:image/jpeg', 'still:image/png'],
];

/** A service with two users who are nothing but runners. */
export async function openRunners(options: WorldOptions = {}, open?: Entry['open']): Promise<TranscodingWorld> {
  const world = await openTranscoding(options, open);
  await prepare(world, [newUser(machine, ['_runner']), newUser(otherMachine, ['_runner'])]);
  return world;
}

export const as = (who: Credentials, request: string, body?: Sent['body']): Sent => ({
  as: who,
  request: request.replace(' /', ' /API/'),
  headers: json,
  ...(body !== undefined && { body }),
});

export interface TaskSeen {
  readonly id: string;
  readonly type: string;
  readonly order: string;
  readonly source: string;
  readonly target?: string;
  readonly size: number;
  readonly extension?: string;
}

/** A runner that a test moves by hand. */
export async function newRunner(
  world: World,
  name = 'box',
  label: readonly string[] = [],
  who = machine,
  ability: readonly string[] = abilities,
) {
  const { id } = await done<{ id: string }>(world, as(who, 'POST /runner', { name, version: '1', label, ability }));
  const claim = (): Promise<Answer> => world.send(as(who, `POST /runner/${id}/claim`));
  return {
    id,
    claim,
    async task(): Promise<TaskSeen> {
      const { status, body } = await claim();
      if (status === 200) return JSON.parse(body) as TaskSeen;
      throw new Error(`Expected a task: ${status} ${body}`);
    },
    renew: (task: TaskSeen, progress = 0) => world.send(as(who, `PUT /runner/task/${task.id}?progress=${progress}`)),
    done: (task: TaskSeen, body: object = {}) => world.send(as(who, `POST /runner/task/${task.id}/done`, body)),
    failed: (task: TaskSeen, body: object) => world.send(as(who, `POST /runner/task/${task.id}/failed`, body)),
    giveBack: (task: TaskSeen) => world.send(as(who, `DELETE /runner/task/${task.id}`)),
  };
}

export const source = (world: World, { source: address }: TaskSeen) => world.send({ request: `GET ${address}` });

export const put = (world: World, { target }: TaskSeen, bytes: Uint8Array<ArrayBuffer>, more = '') =>
  world.send({
    request: `PUT ${target}${more}`,
    headers: { 'content-type': 'application/octet-stream', size: String(bytes.byteLength) },
    body: bytes,
  });
