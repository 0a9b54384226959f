import type { Fault } from './fault.ts';

const crashes = 'test/simulation/crash-points.test.ts';
const ticks = 'test/administration/notifications/delivery/tick.test.ts';
const rules = 'test/administration/notifications/delivery/rules.test.ts';
const health = 'test/administration/notifications/delivery/health.test.ts';
const http = 'test/administration/notifications/http-action.test.ts';
const inline = 'test/administration/notifications/synchronous.test.ts';
const outbox = 'src/administration/notifications/outbox-sql.ts';
const record = 'src/administration/notifications/delivery/record.ts';
const lane = 'src/administration/notifications/delivery/lane.ts';
const deliveries = 'src/administration/notifications/delivery/delivery-work.ts';

/** Faults of notifications, from the outbox to the receiver. */
export const deliveryFaults: readonly Fault[] = [
  {
    name: 'a lease without expiry',
    file: deliveries,
    find: 'until: now + parts.lease',
    replace: 'until: 9e15',
    caughtBy: crashes,
  },
  {
    name: 'retry without cap',
    file: 'src/administration/notifications/delivery/rules.ts',
    find: 'const used = ',
    replace: 'const used = false && ',
    caughtBy: rules,
  },
  {
    name: 'a pause that does not grow',
    file: 'src/administration/notifications/delivery/rules.ts',
    find: 'first * 2 ** Math.min(turn - 1, 40)',
    replace: 'first',
    caughtBy: rules,
  },
  {
    name: 'no fence',
    file: record,
    find: '[stillMine(claim, laneLost)]',
    replace: '[]',
    caughtBy: ticks,
  },
  {
    name: 'a fence that does not grow',
    file: outbox,
    find: "('owner')}, fence = max(fence + 1, ",
    replace: "('owner')}, fence = min(fence, ",
    caughtBy: ticks,
  },
  {
    name: 'a head that is not advanced',
    file: record,
    find: 'changes.push(...rows.map((each) => deleteDelivery(each)), countSuccess',
    replace: 'changes.push(countSuccess',
    caughtBy: ticks,
  },
  {
    name: 'done before it is told',
    file: lane,
    find: 'const { outcome, retry } = await attempt(head, signal);',
    replace:
      "await store.commit({ changes: [{ sql: 'DELETE FROM outbox WHERE notification_id = ? AND sequence = ?', args: [head.notificationId, head.sequence] }], events: [] }, { user: 'system' });\n    const { outcome, retry } = await attempt(head, signal);",
    caughtBy: crashes,
  },
  {
    name: 'told without being written down',
    file: record,
    find: 'changes.push(logAttempt(',
    replace: 'void (logAttempt(',
    caughtBy: ticks,
  },
  {
    name: 'the newest first',
    file: outbox,
    find: 'ORDER BY head, notification_id LIMIT 1',
    replace: 'ORDER BY head DESC, notification_id LIMIT 1',
    caughtBy: 'test/administration/notifications/outbox.test.ts',
  },
  {
    name: 'the next event does not wait for the one that failed',
    file: record,
    find: 'changes.push(tryAgain({ ...row, attempts: head.attempts + 1, now }));',
    replace: 'changes.push(...park({ ...row, attempts: 1, reason: "attempts", now, max: 9 }));',
    caughtBy: ticks,
  },
  {
    name: 'given up without a trace',
    file: record,
    find: 'changes.push(...rows.flatMap((each) => park({ ...each, ...how })));',
    replace: 'changes.push(...rows.map((each) => deleteDelivery(each)));',
    caughtBy: ticks,
  },
  {
    name: 'a lane that is not given back',
    file: lane,
    find: 'changes: releaseLane({ ...claim, now: clock.now() })',
    replace: 'changes: []',
    caughtBy: ticks,
  },
  {
    name: 'a lane that is given back to nobody',
    file: outbox,
    find: 'owner = NULL, ready = (SELECT max(',
    replace: 'owner = NULL, ready = 0 * (SELECT max(',
    caughtBy: 'test/administration/notifications/outbox.test.ts',
  },
  {
    name: 'the head of another lane',
    file: 'src/administration/notifications/delivery/delivery-work.ts',
    find: 'resolve(heads.get(lane))',
    replace: 'resolve(rows[0])',
    caughtBy: ticks,
  },
  {
    name: 'another id for each attempt',
    file: lane,
    find: 'const { notificationId, sequence, depth, requestId, name } = head;',
    replace:
      'const { notificationId, depth, requestId, name } = head;\n      const sequence = head.sequence * 1000 + head.attempts;',
    caughtBy: crashes,
  },
  {
    name: 'attempts that begin again after a replay',
    file: record,
    find: 'earlier + attempts + 1',
    replace: '0 * earlier + attempts + 1',
    caughtBy: crashes,
  },
  {
    name: 'a pause that never ends',
    file: record,
    find: "pauseQueue({ notificationId, state: 'paused', reason, now, resumeAt, pauses })",
    replace: "pauseQueue({ notificationId, state: 'paused', reason, now, resumeAt: null, pauses })",
    caughtBy: health,
  },
  {
    name: 'failures in a row that a success does not end',
    file: outbox,
    find: 'failures = 0, failing_since = NULL,\n    pauses = 0',
    replace: 'failing_since = NULL',
    caughtBy: health,
  },
  {
    name: 'a fault of our own is charged to the receiver',
    file: 'src/administration/notifications/delivery/rules.ts',
    find: "if (outcome.localFault || outcome.verdict === 'blocked') return { state: 'spared' };",
    replace: '',
    caughtBy: health,
  },
  {
    name: 'nobody is told that a notification was switched off',
    file: record,
    find: "event: [notificationEvent('notification/disabled', notificationId, { notificationId, reason, failures })]",
    replace: 'event: []',
    caughtBy: health,
  },
  {
    name: 'a redirect is a success',
    file: 'src/administration/notifications/actions/http-action.ts',
    find: "[300, 399, 'again', 'redirect']",
    replace: "[300, 399, 'delivered']",
    caughtBy: http,
  },
  {
    name: 'Retry-After without a limit',
    file: 'src/administration/notifications/actions/http-action.ts',
    find: 'Math.min(maxWait, Math.max(leastWait, wanted))',
    replace: 'wanted',
    caughtBy: http,
  },
  {
    name: 'a signature of something else',
    file: 'src/administration/notifications/actions/signature.ts',
    find: 'const signed = encoder.encode(`',
    replace: 'const signed = encoder.encode(`x',
    caughtBy: http,
  },
  {
    name: 'only the newest secret signs',
    file: 'src/administration/notifications/actions/signature.ts',
    find: 'const signing = keys.flatMap',
    replace: 'const signing = keys.slice(0, 1).flatMap',
    caughtBy: http,
  },
  {
    name: 'a call without an end',
    file: 'src/administration/notifications/actions/http-action.ts',
    find: 'timeout, mostBytes, longer',
    replace: 'timeout: 9e9, mostBytes, longer',
    caughtBy: http,
  },
  {
    name: 'open where nobody answers',
    file: 'src/administration/notifications/synchronous/before.ts',
    find: 'throw refusalOf(notificationId, outcome);',
    replace: "if (verdict === 'refused') throw refusalOf(notificationId, outcome);",
    caughtBy: inline,
  },
  {
    name: 'a veto that comes too late',
    file: 'src/administration/notifications/matching/participant.ts',
    find: 'for (const each of (await before?.([...foreseen.keys()])) ?? [])',
    replace: 'void before?.([...foreseen.keys()]).catch(() => undefined);\n    for (const each of [] as Foreseen[])',
    caughtBy: inline,
  },
  {
    name: 'what a receiver says is handed on as it is',
    file: 'src/administration/notifications/synchronous/before.ts',
    find: 'const said = cleaned(text);',
    replace: "const said = text ?? '';",
    caughtBy: inline,
  },
  {
    name: 'what somebody paused is lost',
    file: 'src/administration/notifications/synchronous/before.ts',
    find: 'later.push(each);',
    replace: '',
    caughtBy: inline,
  },
  {
    name: 'a fact is told before it is one',
    file: 'src/administration/notifications/matching/participant.ts',
    find: '!synchronous || triggers.isFact(event.name) || already',
    replace: '!synchronous || already',
    caughtBy: inline,
  },
  {
    name: 'told of the application, not of the user',
    file: lane,
    find: 'runAs: runAs ?? undefined',
    replace: 'runAs: undefined',
    caughtBy: inline,
  },
  {
    name: 'charged to the receiver that came after the one that was called',
    file: record,
    find: 'if (!attempted.outdated) changes.push(asCalled({ notificationId, version, deletedAt }, changedSince));',
    replace: '',
    caughtBy: health,
  },
  {
    name: 'the last event of a deleted notification has one try',
    file: 'src/administration/notifications/delivery/rules.ts',
    find: 'attempts >= retry ||',
    replace: 'attempts >= 0 ||',
    caughtBy: 'test/administration/notifications/delivery/scenario.test.ts',
  },
  {
    name: 'any answer is a name',
    file: 'src/administration/notifications/synchronous/filename.ts',
    find: "verdict === 'delivered' && valid.test(name)",
    replace: "verdict === 'delivered'",
    caughtBy: 'test/administration/notifications/filename.test.ts',
  },
];
