import type {
  CORSConfigurationDocument,
  ConfigurationPropertyDocument,
  ConfigurationPropertyListDocument,
} from 'portico/types';
import { useEffect } from 'preact/hooks';
import { get, Refusal, send } from '../../api/client.ts';
import { store, stored } from '../../browser-storage.ts';
import { DocumentForm } from '../../components/document-form.tsx';
import { Shown } from '../../components/empty.tsx';
import { useLoad } from '../../components/load.ts';
import { Records } from '../../components/records.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { toast } from '../../components/toast.ts';
import { Time } from '../../components/values.tsx';
import { may } from '../../rights.ts';
import { navigate, type PageProps, path } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { Embedded } from '../embedded.tsx';
import { Exports } from '../exports.tsx';
import { FieldsAndGroups } from '../fields/page.tsx';
import { Quota } from '../quota/page.tsx';
import { Tags } from '../tags.tsx';
import { InForce } from './in-force.tsx';
import { type CorsEntry, corsParts, type DocumentName, documents, entriesWith, partsOf, shapes } from './settings.ts';
import '../quota/page.css';

/** Tabs with an address of their own. */
const places = { fields: FieldsAndGroups, tags: Tags, exports: Exports, quota: Quota, embedded: Embedded } as const;
const needs = {
  fields: 'field.write',
  tags: 'tag.write',
  exports: 'export.write',
  quota: 'quota.read',
  embedded: 'embedded.write',
} as const;
const placeNames = Object.keys(places) as (keyof typeof places)[];
const titles = {
  fields: 'nav.fields',
  tags: 'nav.tags',
  exports: 'exports.title',
  quota: 'quota.title',
  embedded: 'embedded.title',
} as const;

/** Key by which the browser keeps the tab that was used last. */
const lastTab = 'portico.settings.tab';

/** Tabs in order: for many people first, for integrators and operators last. */
const own = [
  'sharing',
  'purging',
  'pools',
  'priorities',
  'cors',
  'ftp',
  'aliases',
  'auth',
  'properties',
  'inForce',
] as const;

export default function Page({ query }: PageProps) {
  const placeInPath = placeNames.find((name) => path.value === `/${name}`);
  const shown = own.filter((each) => may(each === 'auth' || each === 'inForce' ? 'settings.write' : 'settings.read'));
  const offered = [
    ...placeNames.filter((name) => name === placeInPath || may(needs[name])).map((id) => ({ id, text: t(titles[id]) })),
    ...shown.map((id) => ({ id, text: t(`settings.tab.${id}`) })),
  ];
  const wanted = [placeInPath ?? query['tab'], stored(lastTab)];
  const chosen = wanted.flatMap((name) => offered.find(({ id }) => id === name) ?? [])[0]?.id ?? offered[0]?.id;
  useEffect(() => store(lastTab, chosen), [chosen]);
  const place = placeNames.find((name) => name === chosen);
  const tab = shown.find((name) => name === chosen) ?? 'sharing';
  const Place = place && places[place];
  return (
    <div class="page settings">
      <header class="page-head">
        <h1>{t('nav.settings')}</h1>
      </header>
      <Tabs
        label={t('nav.settings')}
        tabs={offered}
        chosen={place ?? tab}
        onChoose={(to) => navigate(to in places ? `/${to}` : `/settings?tab=${to}`)}
      >
        {Place ? (
          <Place query={query} />
        ) : tab === 'properties' ? (
          <Properties />
        ) : tab === 'cors' ? (
          <Cors />
        ) : tab === 'inForce' ? (
          <InForce />
        ) : (
          <Document key={tab} name={tab} />
        )}
      </Tabs>
    </div>
  );
}

const propertyPath = ({ key }: ConfigurationPropertyDocument): string =>
  `/configuration/properties/${encodeURIComponent(key)}`;

function Properties() {
  return (
    <Records<ConfigurationPropertyDocument>
      title={t('settings.tab.properties')}
      icon="settings"
      none={t('settings.properties.none')}
      make={t('settings.properties.make')}
      writable={may('settings.write')}
      load={async (signal) =>
        (await get<ConfigurationPropertyListDocument>('/configuration/properties', { signal })).property ?? []
      }
      nameOf={({ key }) => key}
      columns={[
        { id: 'key', title: t('settings.key'), cell: ({ key }) => <code>{key}</code> },
        { id: 'value', title: t('settings.value'), cell: ({ value }) => value },
        { id: 'at', title: t('settings.changed'), cell: ({ lastChange }) => <Time at={lastChange} /> },
      ]}
      parts={(property) => [
        ...(property ? [] : [{ at: 'key', label: t('settings.key'), required: true }]),
        { at: 'value', label: t('settings.value'), kind: 'long' as const },
      ]}
      blank={{ key: '' }}
      read={(property) => get<ConfigurationPropertyDocument>(propertyPath(property))}
      save={({ key, value = '' }) => send('PUT', '/configuration/properties', { key, value })}
      remove={(property) => send('DELETE', propertyPath(property))}
    />
  );
}

const corsPath = '/configuration/cors';

async function writeCors(before: CorsEntry | undefined, after: CorsEntry | undefined): Promise<void> {
  const now = await get<CORSConfigurationDocument>(corsPath);
  const entry = entriesWith(now.entry ?? [], before, after);
  if (!entry) throw new Refusal(409, 'conflict', { explanation: t('settings.cors.gone') });
  await send('PUT', corsPath, { ...now, entry });
}

function Cors() {
  return (
    <Records<CorsEntry>
      title={t('settings.tab.cors')}
      icon="link"
      none={t('settings.cors.none')}
      make={t('settings.cors.make')}
      writable={may('settings.write')}
      load={async (signal) => (await get<CORSConfigurationDocument>(corsPath, { signal })).entry ?? []}
      nameOf={({ response }) => response.allowOrigin}
      columns={[
        {
          id: 'from',
          title: t('settings.origin'),
          cell: ({ request = [] }) =>
            request.flatMap(({ origin = [], originRegex = [] }) => [...origin, ...originRegex]).join(', '),
        },
        { id: 'to', title: t('settings.allowOrigin'), cell: ({ response }) => response.allowOrigin },
        {
          id: 'methods',
          title: t('settings.allowMethods'),
          cell: ({ response: { allowMethods = [] } }) => allowMethods.join(', '),
        },
      ]}
      parts={corsParts}
      blank={{ response: { allowOrigin: '' } }}
      save={(after, before) => writeCors(before, after)}
      remove={(before) => writeCors(before, undefined)}
    />
  );
}

/** Settings of one document: bearer tokens, purging, job pools. */
function Document({ name }: { readonly name: DocumentName }) {
  const { path } = documents[name];
  const [from, to] = shapes[name] ?? [];
  const read = async () => {
    const document = await get<object>(path);
    return from ? from(document) : document;
  };
  const settings = useLoad(path, read);
  return (
    <div class="card stack settings-form">
      <p class="muted">{t(`settings.about.${name}`)}</p>
      <Shown of={settings} rows={6}>
        {(document) => (
          <DocumentForm
            parts={partsOf(name)}
            value={document}
            read={read}
            writable={may('settings.write')}
            save={async (changed) => {
              // An empty document is refused: what was set is removed.
              const isEmpty = Object.keys(changed).length === 0 && name !== 'aliases' && name !== 'sharing';
              const method = name === 'sharing' ? 'POST' : 'PUT';
              await (isEmpty ? send('DELETE', path) : send(method, path, to ? to(changed) : changed));
            }}
            onSaved={() => toast(t('word.saved'))}
          />
        )}
      </Shown>
    </div>
  );
}
