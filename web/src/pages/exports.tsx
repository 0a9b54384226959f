import type { ExportLocationDocument, ExportLocationListDocument } from 'portico/types';
import { get, Refusal, send } from '../api/client.ts';
import { Mark } from '../components/chips.tsx';
import type { Part } from '../components/document.ts';
import { Records } from '../components/records.tsx';
import { may } from '../rights.ts';
import { t } from '../texts/index.ts';
import { placeWords } from './storages/storages.ts';

const address = (name = ''): string => `/export-location/${encodeURIComponent(name)}`;
const nameOf = ({ name = '' }: ExportLocationDocument): string => name;

/** Makes a location, but not over one of the same name. A script that was taken out is removed by its own route. */
async function save(location: ExportLocationDocument, before: ExportLocationDocument | undefined) {
  const { name } = location;
  if (!before) {
    const { exportLocation = [] } = await get<ExportLocationListDocument>('/export-location');
    if (exportLocation.some((each) => each.name === name)) {
      throw new Refusal(409, 'conflict', { id: 'name', explanation: t('exports.taken') });
    }
  }
  await send('PUT', address(name), location);
  if (before?.script && !location.script) await send('PUT', `${address(name)}/script`, '');
}

const parts = (before: ExportLocationDocument | undefined): readonly Part[] => [
  ...(before ? [] : [{ at: 'name', label: t('word.name'), required: true }]),
  { at: 'uri', label: t('storages.address'), hint: t('exports.uriHint'), required: true },
  { at: 'tag', label: t('nav.tags'), hint: t('settings.lines'), kind: 'lines' },
  { at: 'projection', label: t('exports.projection') },
  { at: 'script', label: t('tags.script'), hint: t('exports.scriptHint'), kind: 'long' },
];

export function Exports() {
  return (
    <Records<ExportLocationDocument>
      title={t('exports.title')}
      icon="share"
      none={t('exports.none')}
      make={t('exports.make')}
      writable={may('export.write')}
      load={async (signal) =>
        (await get<ExportLocationListDocument>('/export-location', { signal })).exportLocation ?? []
      }
      nameOf={nameOf}
      columns={[
        { id: 'name', title: t('word.name'), cell: ({ name }) => <strong>{name}</strong> },
        { id: 'uri', title: t('storages.address'), cell: ({ uri = '' }) => <code title={uri}>{placeWords(uri)}</code> },
        { id: 'tags', title: t('nav.tags'), cell: ({ tag = [] }) => tag.join(', ') },
        { id: 'script', title: '', cell: ({ script }) => script && <Mark>{t('tags.script')}</Mark> },
      ]}
      parts={parts}
      blank={{}}
      read={({ name }) => get<ExportLocationDocument>(address(name))}
      save={save}
      remove={({ name }) => send('DELETE', address(name))}
    />
  );
}
