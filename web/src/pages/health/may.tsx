import type { ExplanationDocument } from 'portico/types';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { AskButton } from '../../components/ask.tsx';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Shown } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { roleWords } from '../../components/words.ts';
import type { Query } from '../../match.ts';
import { may } from '../../rights.ts';
import { Link, setQuery } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { find, pathTo } from '../people/people.ts';
import {
  decidingEntry,
  nameOfThing,
  needsThing,
  requestOf,
  type Thing,
  thingOf,
  thingsNamed,
  type Verb,
  verbOf,
  verbs,
} from './verbs.ts';

const capital = (words: string): string => words.charAt(0).toLocaleUpperCase() + words.slice(1);
const levelWords = (level: string): string => t(`access.level.${level as 'READ'}`);
const verbWords = (verb: Verb): string => t(`health.verb.${verb}`);

/** Whether a user may do something with an item or a collection, what decides it, and how to mend it. */
export function May({ query }: { readonly query: Query }) {
  const isForAll = may('health.read');
  const user = isForAll ? query['user'] : me.value?.userName;
  const verb = verbOf(query['verb']);
  const path = needsThing(verb) ? query['thing'] : undefined;
  const request = requestOf(verb, path);
  return (
    <section class="card stack" aria-label={t('health.tab.access')}>
      <div class="query-form health-question">
        {isForAll && <UserField user={user ?? ''} />}
        <Field
          label={t('health.verb')}
          options={verbs.map((each) => [each, capital(verbWords(each))])}
          value={verb}
          onChange={({ currentTarget }) => setQuery({ verb: currentTarget.value })}
        />
        {needsThing(verb) && <ThingField key={path} path={path} />}
      </div>
      {user && request ? (
        <Answer key={`${user} ${verb} ${path}`} user={user} verb={verb} path={path} request={request} />
      ) : (
        <p class="muted">{t(path && user ? 'health.noSuchVerb' : 'health.ask')}</p>
      )}
    </section>
  );
}

/** A user by name. One that is there is taken at once, any other when the field is left. */
function UserField({ user }: { readonly user: string }) {
  const [typed, setTyped] = useState<string>();
  const { value } = useLoad(typed ?? '', async (signal) =>
    typed?.trim() ? (await find('user', typed.trim(), { signal, number: 10 })).rows : [],
  );
  const name = typed?.trim() ?? user;
  useEffect(() => {
    if (name === '' || value?.some((row) => row.name === name)) setQuery({ user: name });
  }, [name, value]);
  return (
    <>
      <Field
        label={t('access.user')}
        value={typed ?? user}
        list="health-users"
        autocomplete="off"
        autocapitalize="off"
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onChange={() => setQuery({ user: name })}
      />
      <datalist id="health-users">
        {value?.map(({ name: each, about }) => (
          <option key={each} value={each}>
            {about}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** An item or a collection by its name. What fits stands below. */
function ThingField({ path }: { readonly path: string | undefined }) {
  const [typed, setTyped] = useState<string>();
  const chosen = useLoad(path ?? '', async (signal) => (path ? nameOfThing(path, signal) : ''));
  const things = useLoad(
    typed ?? '',
    async (signal): Promise<readonly Thing[]> => (typed?.trim() ? thingsNamed(typed, signal) : []),
  );
  return (
    <div class="health-thing">
      <Field
        label={t('health.thing')}
        value={typed ?? chosen.value ?? ''}
        autocomplete="off"
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {typed?.trim() && things.value && (
        <ul aria-label={t('health.thing')}>
          {things.value.length === 0 && <li class="muted">{t('word.nothingFound')}</li>}
          {things.value.map((thing) => (
            <li key={thing.path}>
              <Button kind="quiet" onClick={() => setQuery({ thing: thing.path })}>
                {thing.name}{' '}
                <span class="muted small">{t(thing.kind === 'item' ? 'job.item' : 'quota.of.collection')}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface AnswerProps {
  readonly user: string;
  readonly verb: Verb;
  readonly path: string | undefined;
  readonly request: { readonly method: string; readonly target: string };
}

function Answer({ user, verb, path, request }: AnswerProps) {
  const loaded = useLoad('answer', async (signal) => {
    const [explanation, name] = await Promise.all([
      get<ExplanationDocument>('/security/explain', { query: { ...request, user }, signal }),
      path === undefined ? '' : nameOfThing(path, signal),
    ]);
    const level = explanation.level?.[0];
    const decides =
      path === undefined || !may('item.access')
        ? undefined
        : await decidingEntry(path, user, level?.operation, signal).catch(() => undefined);
    return { explanation, name, level, decides };
  });
  return (
    <Shown of={loaded} rows={3}>
      {({ explanation: { allowed = false, missing = [] }, name, level, decides }) => {
        const isRoleThere = missing.every((each) => each.what === 'level');
        const what = [verbWords(verb), name && `“${name}”`].filter(Boolean).join(' ');
        return (
          <div class="stack" role="status">
            <p class="row wrap">
              <Mark tone={allowed ? 'good' : 'bad'}>{t(allowed ? 'health.yes' : 'health.no')}</Mark>
              <strong>{t(allowed ? 'health.mayDo' : 'health.mayNotDo', { user, what })}</strong>
            </p>
            {missing.map(
              (each) =>
                each.what !== 'level' && (
                  <Missing key={each.says} user={user} missing={each} onMended={() => void loaded.reload()} />
                ),
            )}
            {path !== undefined && level && (
              <Level user={user} path={path} wanted={level.level} decides={decides} isEnough={level.granted !== false}>
                {isRoleThere && level.granted === false && may('item.grant') && level.level !== 'OWNER' && (
                  <Button
                    kind="main"
                    onClick={() =>
                      void act(() => send('POST', `${path}/access`, { user, permission: level.level })).then(() =>
                        loaded.reload(),
                      )
                    }
                  >
                    {t('health.give', { user, what: verbWords(verb) })}
                  </Button>
                )}
              </Level>
            )}
          </div>
        );
      }}
    </Shown>
  );
}

interface MissingProps {
  readonly user: string;
  readonly missing: NonNullable<ExplanationDocument['missing']>[number];
  readonly onMended: () => void;
}

/** Something that a user lacks. With a right, the groups that would give it. */
export function Missing({ user, missing: { what, name = '', group = [], says }, onMended }: MissingProps) {
  if (what !== 'role') return <p>{says}</p>;
  return (
    <>
      <p>
        {t('health.closedTo', { user, role: name, words: roleWords(name) })} {group.length > 0 && t('health.givers')}
      </p>
      {group.length > 0 && (
        <ul class="row wrap health-givers">
          {group.map((each) => (
            <li key={each} class="row">
              <Link to={pathTo('group', each)}>{each}</Link>
              {may('group.write') && (
                <AskButton
                  action={t('health.addTo', { user, group: each })}
                  question={t('health.addToQuestion', { user, group: each })}
                  onYes={() => act(() => send('PUT', pathTo('group', each) + pathTo('user', user))).then(onMended)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface LevelProps {
  readonly user: string;
  readonly path: string;
  readonly wanted: string;
  readonly decides: Awaited<ReturnType<typeof decidingEntry>>;
  readonly isEnough: boolean;
  readonly children?: ComponentChildren;
}

/** Level of the user on the thing, its source, and the level that the verb takes. */
function Level({ user, path, wanted, decides, isEnough, children }: LevelProps) {
  const { superUser, permission = 'NONE', group, collection, place = '', effectivePermission } = decides ?? {};
  const level = effectivePermission ?? permission;
  const by = superUser
    ? t('health.by.administrator')
    : permission === 'OWNER'
      ? t('health.by.owner')
      : group === undefined
        ? t('health.by.entry')
        : t('health.by.group', { group });
  return (
    <>
      <p>
        {decides
          ? t('health.hasLevel', { user, level: levelWords(level), by })
          : isEnough || !may('item.access')
            ? ''
            : t('health.hasNothing', { user })}
        {collection !== undefined && !superUser && (
          <>
            {' '}
            {t('health.through')} <Link to={`/collection/${collection}`}>{place}</Link>
          </>
        )}
        {decides && '. '} {!isEnough && t('health.takes', { level: levelWords(wanted) })}
      </p>
      <div class="row wrap">
        {children}
        {may('item.access') && (
          <Link class="button" to={thingOf(path)?.kind === 'item' ? `${path}?tab=access` : path}>
            {t('access.title')}
          </Link>
        )}
        {group !== undefined && may('group.read') && (
          <Link class="button" to={pathTo('group', group)}>
            {t('access.group')} {group}
          </Link>
        )}
      </div>
    </>
  );
}
