import { describe, expect, it } from 'vitest';
import { createHttpAction } from '../../../src/administration/notifications/actions/http-action.ts';
import type { ActionOrder } from '../../../src/administration/notifications/actions/order.ts';
import { createScriptAction } from '../../../src/administration/notifications/actions/script.ts';
import { createDepth } from '../../../src/administration/notifications/depth.ts';
import { notificationDocument } from '../../../src/administration/notifications/documents/notification.ts';
import { readJson } from '../../../src/core/documents/index.ts';
import { OutboundError } from '../../../src/core/outbound/wire.ts';
import { runHere } from '../../../src/core/scripts/run-here.ts';
import type { OutboundCall } from '../../../src/spi/index.ts';
import { newUser } from '../../support/cast.ts';
import { testClock } from '../../support/clock.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { testRandom } from '../../support/random.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { newNotification, onCreate } from './support.ts';

const order: ActionOrder = {
  notificationId: 'VX-7',
  sent: readJson(
    notificationDocument,
    JSON.stringify({ action: { javascript: { script: '' } }, trigger: { group: { create: {} } } }),
  ),
  ...{
    keys: [],
    id: 'VX-7_42',
    event: 'group/create',
    contentType: 'text/plain; charset=utf-8',
    body: 'group=editors',
  },
  fields: [
    ['action', 'CREATE'],
    ['group', 'editors'],
  ],
  ...{ number: 2, depth: 1, cause: 'r' },
};

async function carriedOut(script: string, call?: (sent: OutboundCall) => Promise<never>) {
  const calls: OutboundCall[] = [];
  const http = createHttpAction({
    ...{ random: testRandom(1), clock: testClock(), longest: 5_000, mostBytes: 1_000 },
    async call(sent) {
      calls.push(sent);
      return call ? call(sent) : ({ status: 200, headers: {}, text: 'taken', address: '192.0.2.1', bytes: 5 } as never);
    },
    fingerprint: (text) => btoa(text),
    depth: createDepth(testClock(), (text) => text),
  });
  const result = await createScriptAction(runHere, http)(order, script, new AbortController().signal);
  return { result, calls };
}

describe('the script of a notification', () => {
  it('gets the document of the event, and says body, headers and address', async () => {
    const { result, calls } = await carriedOut(`
      const group = document.field.find((each) => each.key === 'group').value;
      ({ url: 'https://hooks.example/' + event, method: 'PUT', headers: { 'X-House': 'seven', Authorization: 'Bearer t' },
         body: { group, attempt: notification.attempt } });`);
    expect(result).toMatchObject({ verdict: 'delivered' });
    expect(calls).toMatchObject([{ url: 'https://hooks.example/group/create', method: 'PUT' }]);
    expect(calls[0]).toMatchObject({
      body: '{"group":"editors","attempt":2}',
      headers: {
        ...{ 'x-house': 'seven', authorization: 'Bearer t', 'content-type': 'application/json' },
        'portico-notification': 'VX-7',
      },
    });
  });

  it('sends the body of the notification where it names none', async () => {
    const { calls } = await carriedOut('({ url: "https://hooks.example/" })');
    expect(calls).toMatchObject([{ body: 'group=editors', headers: { 'content-type': 'text/plain; charset=utf-8' } }]);
  });

  it.each(['null', 'false', 'undefined', ''])('sends nothing with %s, and the event is delivered', async (script) => {
    const { result, calls } = await carriedOut(script);
    expect([result.verdict, calls]).toEqual(['delivered', []]);
  });

  it.each([
    ['throws', 'throw new Error("no house")', 'no house'],
    ['never ends', 'for (;;) {}', 'Expected'],
    ['names no address', '({ body: "x" })', 'url'],
    ['names a file', '({ url: "file:///etc/passwd" })', 'url'],
    ['answers a text', '"https://hooks.example/"', 'Expected an object'],
    ['wants another method', '({ url: "https://a.example/", method: "DELETE" })', 'method'],
    ['forges a signature', '({ url: "https://a.example/", headers: { "webhook-signature": "v1,x" } })', 'webhook'],
    ['forges its origin', '({ url: "https://a.example/", headers: { "Portico-Notification": "VX-1" } })', 'Portico'],
    ['splits a header', '({ url: "https://a.example/", headers: { a: "b\\r\\nc: d" } })', 'header "a"'],
    ['reaches for the machine', 'process.env', 'process'],
  ])('that %s is a failed delivery, and nothing is sent', async (_what, script, says) => {
    const { result, calls } = await carriedOut(script);
    expect(result).toMatchObject({ verdict: 'again', error: 'script', says: expect.stringContaining(says) });
    expect(calls).toEqual([]);
  });

  it('reaches no address that callers may not name', async () => {
    const { result } = await carriedOut('({ url: "http://169.254.169.254/" })', () =>
      Promise.reject(new OutboundError('blocked', 'Expected a public address')),
    );
    expect(result).toMatchObject({ verdict: 'blocked' });
  });
});

describeMatrix('a notification with a script', (entry) => {
  const document = (script: string) => ({ action: { javascript: { script } }, trigger: onCreate });
  const editor = ['editor', 'password of editor'] as const;

  it('is set by administrators alone', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(editor, ['_group_notification_write', '_group_notification_read'])]);
    const create = (as: typeof editor | typeof admin) =>
      world.send({ as, request: 'POST /API/group/notification', body: document('null') });
    expect((await create(editor)).status).toBe(403);
    await prepare(world, [newNotification(onCreate)]);
    const change = (as: typeof editor | typeof admin, script: string) =>
      world.send({ as, request: 'PUT /API/group/notification/VX-1', body: document(script) });
    expect((await change(editor, 'null')).status).toBe(403);
    expect((await change(admin, 'null')).status).toBe(200);
    expect((await create(admin)).status).toBe(200);
    expect((await change(admin, 'x'.repeat(65_537))).status).toBe(400);
  });
});
