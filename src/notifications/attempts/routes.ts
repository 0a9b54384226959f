import { accountOf } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { choiceParameter, dateParameter, limitParameter } from '../../http/parameter.ts';
import { done } from '../../http/reply.ts';
import type { Params, Route } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Parameters } from '../../security/parameters.ts';
import { type Delivery, deliveryDocument, deliveryListDocument } from '../documents/notification-state.ts';
import type { NotificationParts } from '../parts.ts';
import { type At, notificationOf } from '../place.ts';
import { sendOneAgain } from '../replay/rules.ts';
import { type AttemptRow, attemptStates, findAttempt, listAttempts } from './store.ts';

const usualRows = 100;
const mostRows = 1000;
const newest = { started: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/** The log of deliveries of one notification. */
export function attemptRoutes(parts: NotificationParts, at: At): readonly Route[] {
  const { store, clock } = parts;
  const all = `${at.path}/:notification/delivery`;
  const one = `${all}/:delivery`;
  return [
    {
      method: 'GET',
      path: all,
      access: at.read,
      produces: documentTypes,
      async handle(call, type, params) {
        const { parameters } = call;
        const { id } = await notificationOf(parts, at, params);
        const limit = limitParameter(parameters, 'number', 1, mostRows, usualRows);
        const rows = await listAttempts(store.reader(accountOf(call)), {
          notificationId: id,
          since: dateParameter(parameters, 'since') ?? 0,
          before: cursorFrom(parameters),
          state: choiceParameter(parameters, 'state', attemptStates),
          entity: parameters.get('entity') || undefined,
          limit,
        });
        const last = rows.length === limit ? rows.at(-1) : undefined;
        // What answers and failures say is told one by one: of a thousand it would be too much.
        const delivery = rows.map((row) => ({ ...documentOf(row), explanation: undefined, answer: undefined }));
        return parts.render(type, deliveryListDocument, { delivery, next: last && `${last.started}-${last.id}` });
      },
    },
    {
      method: 'GET',
      path: one,
      access: at.read,
      produces: documentTypes,
      async handle(call, type, params) {
        const { row } = await attemptOf(params);
        const { waitingSince, parkedSince } = row;
        const { explanation, answer, ...document } = documentOf(row);
        return parts.render(type, deliveryDocument, {
          ...document,
          ...((await at.mayWrite(call)) ? { explanation, answer } : {}),
          waits: waitingSince !== null,
          parked: parkedSince !== null,
        });
      },
    },
    {
      method: 'POST',
      path: `${one}/retry`,
      access: at.write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { id, lane, row } = await attemptOf(params);
        if (row.sequence === null) throw beforeTheChange(row);
        await parts.commit(sendOneAgain({ id, lane, sequence: row.sequence, now: clock.now() }), call);
        return done;
      },
    },
  ];

  async function attemptOf(params: Params) {
    const { id, lane } = await notificationOf(parts, at, params);
    const name = params['delivery']!;
    const number = /^\d{1,15}$/.test(name) ? Number(name) : 0;
    const [row] = await findAttempt(store, { notificationId: id, id: number });
    if (!row) throw new ServiceError('no-such-entity', { type: 'Delivery', id: name.slice(0, 80) });
    return { id, lane, row };
  }
}

function cursorFrom(parameters: Parameters): typeof newest {
  const text = parameters.get('before')?.trim() ?? '';
  if (text === '') return newest;
  const [, started, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  if (started !== undefined && id !== undefined) return { started: Number(started), id: Number(id) };
  const explanation = 'Expected what "next" of a page says';
  throw new ServiceError('bad-parameter', {
    context: 'parameter',
    id: 'before',
    explanation,
    value: text.slice(0, 80),
  });
}

function documentOf(row: AttemptRow): Delivery {
  const { id, sequence, event, entityId, number, started, ended, state } = row;
  return {
    id,
    event: sequence ?? undefined,
    trigger: event,
    entity: entityId,
    attempt: number,
    started,
    ended,
    duration: ended - started,
    state,
    status: row.status ?? undefined,
    error: row.error ?? undefined,
    address: row.address ?? undefined,
    explanation: row.says ?? undefined,
    answer: row.answer ?? undefined,
  };
}

function beforeTheChange({ id }: AttemptRow): ServiceError {
  const explanation = 'Expected a delivery of something that happened: the receiver was asked before the change';
  return new ServiceError('bad-value', { context: 'path', id: String(id), explanation });
}
