import fc from 'fast-check';
import { expect } from 'vitest';
import { expectWholeAssets } from '../../assets/items/invariants.ts';
import { requestOf } from '../../support/matrix.ts';
import { expectPromised, type History, heardAs, madeIn, type Operation, placesOf } from '../history.ts';
import type { Point } from '../process.ts';
import { type Creation, type Known, type Plan, planOf } from './deeds.ts';
import { Model } from './model.ts';
import { type Deed, type Setting, type Step, settingArbitrary, stepArbitrary } from './steps.ts';
import { openWorld, quota, type World } from './world.ts';

/** Settings and steps of a run, as a file keeps them. */
export interface Run {
  readonly setting: Setting;
  readonly steps: readonly Step[];
}

export interface Played {
  readonly digest: string;
  readonly operations: number;
}

/** Step of a run, as the library generates and shrinks it. */
class StepCommand implements fc.AsyncCommand<Known, Player, true> {
  readonly step: Step;

  constructor(step: Step) {
    this.step = step;
  }

  check = async () => true;

  run = (_known: Known, player: Player): Promise<void> => player.take(this.step);

  toString = (): string => JSON.stringify(this.step);
}

interface Doing {
  readonly plan: Plan;
  readonly at: number;
  readonly invoked: number;
  answer?: { readonly status: number; readonly headers: Headers; readonly body: string };
  answered?: number;
}

/** Plays steps, and compares what comes with the model. */
class Player {
  readonly world: World;
  readonly known: Known;
  readonly #operations: Operation[] = [];
  readonly #quotas: History['quotas'][number][] = [];
  #moment = 0;
  operations = 0;

  constructor(world: World, known: Known) {
    this.world = world;
    this.known = known;
  }

  async take(step: Step): Promise<void> {
    if ('passes' in step) {
      await this.world.clock.advance(step.passes);
      return this.world.calm();
    }
    const { members } = this.world;
    const { mischief } = step;
    const victim = mischief && mischief.at % members.length;
    for (const [at, { process }] of members.entries()) {
      process.begin(at === victim ? pointOf(mischief!) : { call: -1, when: 'before' });
    }
    const doing = this.#plan(step.deeds);
    await this.world.drive(Promise.all(doing.map((each) => this.#do(each))));
    this.#spare();
    this.#judge(doing, victim);
    const stopped = [...members.keys()].filter((at) => members[at]!.process.stopped);
    for (const at of stopped) await this.world.restart(at);
    await this.#look();
  }

  /** No process stops and no call fails until the next deeds. */
  #spare(): void {
    for (const { process } of this.world.members) process.begin({ call: -1, when: 'before' });
  }

  /** Plans deeds beside each other. Those that a client could not follow any more are left out. */
  #plan(deeds: readonly Deed[]): Doing[] {
    const doing: Doing[] = [];
    const taken = new Set<string>();
    for (const deed of deeds) {
      const plan = planOf(deed, this.known);
      const alone = plan?.effects.find(({ name }) => name.startsWith('access ') && taken.has(name));
      if (!plan || alone) continue;
      for (const { name } of plan.effects) taken.add(name);
      doing.push({ plan, at: deed.at % this.world.members.length, invoked: ++this.#moment });
    }
    return doing;
  }

  async #do(each: Doing): Promise<void> {
    const { process, opened } = this.world.members[each.at]!;
    const { sent } = each.plan;
    this.operations++;
    const act = async () => {
      if (!sent)
        return void (await opened.service.tick().catch((error) => {
          if (!process.failed) throw error;
        }));
      const response = await opened.service.fetch(requestOf('http://portico.test', sent));
      const body = await response.text();
      if (process.stopped) return;
      each.answer = { status: response.status, headers: response.headers, body };
      each.answered = ++this.#moment;
      this.world.trace(`${sent.request} ${response.status} ${body.replace(/"requestId":"[^"]*"/, '')}`);
    };
    await Promise.race([act(), process.end]);
  }

  /** Compares the answers with the model, and tells it what happened. */
  #judge(doing: readonly Doing[], victim: number | undefined): void {
    const effects = [];
    for (const each of doing) {
      const { plan, answer } = each;
      if (!plan.sent) continue;
      const beside = doing.filter((other) => other !== each).flatMap(touched);
      const should = plan.concerns.some((name) => beside.includes(name)) ? undefined : plan.should;
      const outcome = outcomeOf(answer?.status);
      const what = `${plan.sent.as?.[0] ?? 'a guest'} ${plan.sent.request}: ${answer?.status} ${answer?.body.slice(0, 300)}`;
      expect(answer?.status, what).not.toBe(500);
      if (outcome === 'unknown' && each.at !== victim && doing.length === 1)
        expect.fail(`No answer without a failure: ${what}`);
      // A client that comes too often has to wait.
      if (should !== undefined && outcome !== 'unknown' && answer?.status !== 429 && answer?.status !== 409)
        expect(outcome, what).toBe(should ? 'done' : 'refused');
      if (outcome !== 'refused')
        effects.push(...plan.effects.map((effect) => ({ ...effect, done: outcome === 'done' })));
      if (outcome === 'done') plan.acknowledged?.(answer!);
      this.#record(each, outcome);
    }
    this.known.model.happened(effects);
  }

  #record({ plan, invoked, answered, answer }: Doing, outcome: Outcome): void {
    const { operation, creation } = plan;
    if (creation && !this.known.creations.includes(creation)) this.known.creations.push(creation);
    if (creation && outcome === 'done') {
      const id = /"(?:id|jobId)":"([A-Z]+-\d+)"/.exec(answer!.body)?.[1];
      this.#operations.push({
        kind: 'create',
        key: creation.key,
        id: `${creation.title === undefined ? 'job' : 'item'} ${id}`,
        invoked,
        answered,
      });
      this.#created(creation, id!, invoked, answered);
    }
    if (!operation || outcome === 'refused' || (operation.kind === 'read' && outcome !== 'done')) return;
    const value = operation.value ?? /"value":"(t\d+)"/.exec(answer!.body)?.[1];
    // A change that was refused for a failure may come into effect at any time, or never.
    this.#operations.push({ ...operation, value, invoked, answered: outcome === 'done' ? answered : undefined });
  }

  #created({ who, title }: Creation, id: string, invoked: number, answered: number | undefined): void {
    const { model, owners } = this.known;
    const name = title === undefined ? `job ${id}` : `item ${id}`;
    if (model.all().has(name)) return;
    model.set(name, 'there');
    if (title === undefined) return;
    owners.set(id, who);
    model.set(`title ${id}`, title);
    this.#operations.push({ kind: 'write', key: id, value: title, invoked, answered });
  }

  /** Looks what is in the database of all that nobody knows. */
  async #look(): Promise<void> {
    const { database } = this.world;
    for (const { key, title, ...rest } of this.known.creations) {
      const [row] = await database.read('SELECT made FROM keyed_request WHERE key = ?', [key]);
      const id = row && String(row[0]).split(' ')[1];
      if (id !== undefined) this.#created({ key, title, ...rest }, id, 0, undefined);
    }
    for (const name of this.known.model.unsure) await this.#see(name);
    const [used] = await database.read(
      `SELECT count(*) FROM access_entry JOIN user ON user.id = user_id WHERE entity_type = 'item' AND permission = 'OWNER' AND user.name = 'ann'`,
    );
    this.#quotas.push({ limit: quota, used: Number(used![0]) });
  }

  async #see(name: string): Promise<void> {
    const { database } = this.world;
    const { model, entries } = this.known;
    const [kind = '', ...words] = name.split(' ');
    if (kind === 'job') return;
    if (kind === 'title' && !model.is(`item ${words[0]}`, 'there'))
      return model.unsure.includes(name) ? model.set(name, 'gone') : undefined;
    const [sql, seen] = looks[kind]!;
    const [row] = await database.read(sql, words);
    if (kind === 'access' && row) entries.set(name, String(row[1]));
    if (kind === 'access' && !model.is(`item ${words[0]}`, 'there')) return model.set(name, 'NONE');
    // A member that was added beside a deletion went with its item or its collection.
    const ends = kind === 'member' ? [`collection ${words[0]}`, `item ${words[1]}`] : [];
    if (ends.some((end) => !model.is(end, 'there'))) return model.set(name, 'out');
    // A share ends with its item, some time behind it.
    const shown = this.known.tokens.get(words[0]!);
    if (kind === 'share' && shown && !model.is(`item ${shown.item}`, 'there')) return model.set(name, 'gone');
    model.saw(name, seen(row));
  }

  /** Lets all work end, and compares everything with the model and the rules of histories. */
  async finish(): Promise<void> {
    const { world, known } = this;
    await world.calm();
    world.hurry();
    const { service } = world.members[0]!.opened;
    for (const pause of [0, 30_000, 60_000, 120_000, 600_000, 3_700_000, 3_700_000, 7_300_000, 7_300_000, 7_300_000]) {
      await world.clock.advance(pause);
      await world.drive(service.tick());
    }
    await this.#look();
    for (const name of known.model.all().keys()) await this.#see(name);
    await expectWholeAssets(world.database);
    const read = async (sql: string) => (await world.database.read(sql)).map((row) => row.map(String));
    for (const [id, status, data] of await read("SELECT id, status, data FROM job WHERE type LIKE '%IMPORT'")) {
      const ends = ['FINISHED', ...(known.aborted.has(id!) ? ['ABORTED'] : [])];
      if (status!.startsWith('FAILED')) expect(data, `${id} says why it failed`).toContain('errorMessage');
      else expect(ends, id).toContain(status);
    }
    for (const table of ['publication', 'file_job', 'import_claim'])
      expect(await read(`SELECT * FROM ${table}`), table).toEqual([]);
    expectPromised(await this.#history());
  }

  async #history(): Promise<History> {
    const { world } = this;
    const read = async (sql: string) => [...(await world.database.read(sql))];
    const events = (
      await read(`SELECT sequence FROM event WHERE name IN ('item/create', 'item/delete') ORDER BY 1`)
    ).map(([sequence]) => Number(sequence));
    const told = ['VX-1', 'VX-2'];
    const lanes = [];
    for (const lane of told) {
      const attempted = await read(`SELECT sequence FROM attempt WHERE sequence > 0 AND notification_id = '${lane}'`);
      lanes.push(
        await placesOf(read, lane, [...new Set([...events, ...attempted.map(([sequence]) => Number(sequence))])]),
      );
    }
    const heard = world.seen.flatMap(({ id, notification }) => (told.includes(notification) ? heardAs(id) : []));
    const made = await madeIn(read);
    return { operations: this.#operations, heard, lanes, quotas: this.#quotas, made };
  }
}

const pointOf = ({ call, how }: NonNullable<Extract<Step, { deeds: unknown }>['mischief']>): Point =>
  how === 'kill' ? { call, when: 'after' } : { call, how };

const touched = ({ plan }: Doing): readonly string[] => [
  ...plan.effects.map(({ name }) => name),
  ...(plan.touches ?? []),
];

type Outcome = 'done' | 'refused' | 'unknown';
/** A full quota is a refusal, too. */
const outcomeOf = (status: number | undefined): Outcome =>
  status === undefined || (status >= 500 && status !== 507) ? 'unknown' : status < 300 ? 'done' : 'refused';

type Look = readonly [sql: string, seen: (row: readonly unknown[] | undefined) => string];
const there = (sql: string, yes: string, no: string): Look => [sql, (row) => (row ? yes : no)];
const looks: Readonly<Record<string, Look>> = {
  item: there('SELECT 1 FROM item WHERE id = ?', 'there', 'gone'),
  title: [
    `SELECT doc FROM metadata_state WHERE owner_type = 'item' AND owner_id = ?`,
    (row) => /"(t\d+)"/.exec(String(row?.[0]))?.[1] ?? '',
  ],
  access: [
    `SELECT permission, access_entry.id FROM access_entry JOIN user ON user.id = user_id
      WHERE entity_type = 'item' AND entity_id = ? AND user.name = ? AND permission <> 'OWNER'`,
    (row) => String(row?.[0] ?? 'NONE'),
  ],
  collection: there('SELECT 1 FROM collection WHERE id = ?', 'there', 'gone'),
  member: there('SELECT 1 FROM collection_member WHERE collection_id = ? AND member_id = ?', 'in', 'out'),
  share: there('SELECT 1 FROM share WHERE id = ?', 'open', 'gone'),
  user: ['SELECT enabled FROM user WHERE name = ?', (row) => (row ? (row[0] === 1 ? 'enabled' : 'disabled') : 'none')],
  notification: there('SELECT 1 FROM notification WHERE id = ? AND deleted_at IS NULL', 'there', 'gone'),
};

const newKnown = (): Known => ({
  model: new Model(),
  creations: [],
  owners: new Map(),
  entries: new Map(),
  tokens: new Map(),
  aborted: new Set(),
  count: 0,
});

/** Plays a run from its beginning to its end. Throws what is broken. */
export async function play({ setting, steps }: Run): Promise<Played> {
  return playCommands(
    setting,
    steps.map((step) => new StepCommand(step)),
  );
}

async function playCommands(
  setting: Setting,
  commands: Iterable<fc.AsyncCommand<Known, Player, true>>,
): Promise<Played> {
  const world = await openWorld(setting);
  const player = new Player(world, newKnown());
  try {
    await fc.asyncModelRun(() => ({ model: player.known, real: player }), commands);
    await player.finish();
    return { digest: world.digest(), operations: player.operations };
  } finally {
    await world.close();
  }
}

const maxSteps = 14;
const maxSeconds = 120;

export interface Outcomes extends Played {
  /** The shortest run that is broken, and how. A run that does not end is not known. */
  readonly broken?: { readonly run: Run | undefined; readonly error: string };
}

/** Plays the run of a seed. A broken one is made shorter. */
export async function playSeed(seed: number): Promise<Outcomes> {
  let played: Played = { digest: '', operations: 0 };
  let last: Run | undefined;
  const commands = fc.commands<Known, Player, true>([stepArbitrary.map((step) => new StepCommand(step))], {
    maxCommands: maxSteps,
    size: 'max',
  });
  const property = fc.asyncProperty(settingArbitrary, commands, async (setting, all) => {
    try {
      played = await playCommands(setting, all as Iterable<fc.AsyncCommand<Known, Player, true>>);
    } catch (error) {
      last = { setting, steps: [...all].map((command) => JSON.parse(String(command)) as Step) };
      throw error;
    }
  });
  const details = await fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: maxSeconds * 1_000 });
  if (!details.failed) return played;
  const { errorInstance: thrown } = details;
  const error = details.interrupted
    ? `Expected it to end within ${maxSeconds} seconds`
    : thrown instanceof Error
      ? thrown.message
      : String(thrown);
  return { ...played, broken: { run: last, error } };
}
