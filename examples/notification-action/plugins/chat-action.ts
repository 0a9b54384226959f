import type { ActionCall, NotificationAction, Plugin, SecretText } from 'portico/spi';
import type { PluginExamples } from 'portico/testing';

interface Properties {
  readonly rooms: ReadonlyMap<string, string>;
  readonly token: SecretText;
}

/** `Group editors: CREATE by admin`, from what the event tells. */
function lineOf({ event, fields }: ActionCall): string {
  const value = (key: string) => fields.find(([name]) => name === key)?.[1];
  const [kind = '', word = ''] = event.split('/');
  const name = value('group') ?? value('itemId') ?? value('jobId') ?? '';
  const by = value('username') ?? value('user');
  return `${kind} ${name}: ${word}${by === undefined ? '' : ` by ${by}`}`;
}

/** Writes a line into a room of a chat for each event. The method of a notification is the room. */
export default {
  name: 'chat-action',
  version: '1.0.0',
  contract: 1,
  actions: {
    'example.ChatAction': {
      says: 'Writes a line into a room of a chat.',
      properties: {
        rooms: {
          type: 'map',
          required: true,
          says: 'Addresses of rooms, by the names that notifications use as method.',
        },
        token: { type: 'secret', required: true, says: 'Lets this service write.' },
      },
      create: ({ rooms, token }: Properties, host): NotificationAction => ({
        methods: [...rooms.keys()],

        defect: ({ data }) => (data.some(([key]) => key !== 'prefix') ? 'Expected no data but "prefix"' : undefined),

        async perform(call) {
          const url = rooms.get(call.texts['method'] ?? '');
          if (url === undefined) return { answer: 'refused', reason: 'Expected a room that security.ini names' };
          const prefix = call.data.map(([, value]) => `${value} `).join('');
          const { status, headers } = await host.call({
            url,
            method: 'POST',
            headers: { authorization: `Bearer ${token.reveal()}`, 'content-type': 'application/json' },
            // The chat knows by the id that it has had this line before.
            body: JSON.stringify({ id: call.id, text: `${prefix}${lineOf(call)}` }),
            timeout: 5_000,
            mostBytes: 1_000,
            longer: 'cut',
            // The operator has written these addresses: a chat on the own network is fine.
            trusted: true,
            signal: call.signal,
          });
          if (status >= 200 && status < 300) return { answer: 'delivered' };
          const reason = `Expected a status from 200 to 299: ${status}`;
          if (status === 400 || status === 404) return { answer: 'refused', reason };
          const seconds = Number(headers.get('retry-after') ?? Number.NaN);
          return { answer: 'again', reason, ...(seconds >= 0 ? { after: seconds * 1_000 } : {}) };
        },
      }),
    },
  },
} satisfies Plugin;

export const examples = [
  {
    component: 'example.ChatAction',
    properties: { 'rooms[desk]': 'https://chat.example.com/desk', token: 'token-of-the-service' },
    elements: [
      { texts: { bean: 'chat', method: 'desk' } },
      { texts: { bean: 'chat', method: 'desk' }, data: [['prefix', 'Archive:']] },
    ],
    backend: (request: Request) =>
      new Response(null, {
        status: request.headers.get('authorization') === 'Bearer token-of-the-service' ? 204 : 401,
      }),
  },
] satisfies PluginExamples;
