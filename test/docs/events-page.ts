import { rooms } from '../../src/composition/rooms.ts';
import type { EventKind, EventOutput, EventTable, Trigger } from '../../src/core/events/event-kinds.ts';
import { withEnd } from '../../src/core/lib/ends.ts';
import { mergeRooms } from '../../src/room/merge-rooms.ts';
import { code, table } from './table.ts';

const head = `# Events

\`npm run docs\` writes this page from the events of all rooms. \`GET /API/event\` tells every event, in commit order.
The name of an event is the path of its element in the trigger of a \`NotificationDocument\`.
[Notifications](../guide/notifications.md) says how to register one, [receivers](../guide/receivers.md) what arrives.
`;

const firing = `## Events that fire notifications

A synchronous notification can refuse an event, unless the event reports a fact that has already happened.
The keys stand in the body in this order. A key in brackets is a set of keys that depends on the event.
`;

const silent = `## Events that only the feed tells
`;

/** Every event of all rooms, as Markdown: those with a trigger by resource, then the others. */
export function eventsPage(): string {
  const events = Object.entries(mergeRooms(rooms, 'events') as EventTable).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const fires = events.flatMap(([name, { trigger }]: [string, EventKind]) => (trigger ? [row(name, trigger)] : []));
  const others = events.flatMap(([name, { trigger }]) => (trigger ? [] : [[code(name)]]));
  const columns = ['event', 'registered at', 'can be refused', 'keys in the body'];
  return `${head}\n${firing}\n${table(columns, fires)}\n\n${silent}\n${table(['event'], others)}\n`;
}

function row(name: string, { resource, says, tells, fact, ends }: Trigger): readonly string[] {
  const fixed = Object.entries(says).map(([key, value]) => code(`${key}=${value}`));
  const keys = [...fixed, ...tells.map(keyOf)];
  return [withEnd(code(name), ends), code(`${resource}/notification`), fact ? 'no' : 'yes', keys.join(', ')];
}

function keyOf(output: EventOutput): string {
  if (typeof output === 'string') return code(output);
  if ('key' in output) return code(output.key);
  return 'pairs' in output ? code(`[${output.pairs}]`) : code(`[${output.changes}]`);
}
