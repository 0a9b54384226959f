import type { EmbeddedMetadataDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, Refusal, send } from '../api/client.ts';
import { AskButton } from '../components/ask.tsx';
import type { Part } from '../components/document.ts';
import { Records } from '../components/records.tsx';
import { act } from '../components/refusal.tsx';
import { may } from '../rights.ts';
import { t } from '../texts/index.ts';

const path = '/import/embedded-metadata';

/** A row of the table, with its place from 1. */
interface Row {
  readonly place?: number | undefined;
  readonly property: string;
  readonly field: string;
}

async function load(signal?: AbortSignal): Promise<readonly Row[]> {
  const { mapping = [] } = await get<EmbeddedMetadataDocument>(path, { signal });
  return mapping.map(({ property, field }, at) => ({ place: at + 1, property, field }));
}

/** Writes the table with one row put in, changed or taken out. */
async function write(before: Row | undefined, after: Row | undefined): Promise<void> {
  const rows = [...(await load())];
  const at = rows.findIndex(({ property, field }) => property === before?.property && field === before.field);
  if (before) {
    if (at < 0) throw new Refusal(409, 'conflict', { explanation: t('settings.cors.gone') });
    rows.splice(at, 1);
  }
  if (after) rows.splice((after.place ?? rows.length + 1) - 1, 0, after);
  await send('PUT', path, { mapping: rows.map(({ property, field }) => ({ property, field })) });
}

const parts: () => readonly Part[] = () => [
  { at: 'property', label: t('embedded.property'), hint: t('embedded.propertyHint'), required: true },
  { at: 'field', label: t('embedded.field'), required: true },
  { at: 'place', label: t('embedded.place'), hint: t('embedded.placeHint'), kind: 'number', min: 1 },
];

/** Properties inside files, and the fields that imports read them into. */
export function Embedded() {
  const [renewed, renew] = useState(0);
  return (
    <div class="stack">
      <p class="muted">{t('embedded.about')}</p>
      <Records<Row>
        title={t('embedded.title')}
        findText={String(renewed)}
        icon="text"
        none={t('embedded.none')}
        make={t('embedded.make')}
        writable={may('embedded.write')}
        load={load}
        nameOf={({ property }) => property}
        columns={[
          { id: 'place', title: t('embedded.place'), at: 'end', cell: ({ place }) => place },
          { id: 'property', title: t('embedded.property'), cell: ({ property }) => <code>{property}</code> },
          { id: 'field', title: t('embedded.field'), cell: ({ field }) => <code>{field}</code> },
        ]}
        parts={parts}
        blank={{ property: '', field: '' }}
        save={(after, before) => write(before, after)}
        remove={(before) => write(before, undefined)}
      />
      {may('embedded.write') && (
        <p>
          <AskButton
            action={t('embedded.defaults')}
            question={t('embedded.defaultsQuestion')}
            onYes={() => act(() => send('DELETE', path), t('word.saved')).then(() => renew(renewed + 1))}
          />
        </p>
      )}
    </div>
  );
}
