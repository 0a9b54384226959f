import type { MetadataFieldListDocument } from 'portico/types';
import { useLayoutEffect, useState } from 'preact/hooks';
import { firstView, get } from '../../api/client.ts';
import { may } from '../../rights.ts';
import { language, t } from '../../texts/index.ts';
import { type FieldInfo, fieldInfos } from './facets.ts';

const fieldsByLanguage = new Map<string, readonly FieldInfo[]>();

/** Names of the page for fields that every item has. */
function ownLabel(name: string): string | undefined {
  const labels: Record<string, string> = {
    __name: t('word.name'),
    title: t('library.fieldTitle'),
    mediaType: t('library.fieldKind'),
    created: t('library.fieldCreated'),
    durationSeconds: t('library.fieldDuration'),
    user: t('library.fieldUser'),
    originalFilename: t('library.fieldFile'),
  };
  return labels[name];
}

async function read(): Promise<readonly FieldInfo[]> {
  if (!may('field.read')) return [];
  const { field = [] } = await get<MetadataFieldListDocument>('/metadata-field', {
    query: { data: '*', number: '1000' },
  });
  return fieldInfos(field, language.value).map((info) => {
    const own = ownLabel(info.name);
    return own === undefined ? info : { ...info, label: own, isSystem: false };
  });
}

/**
 * Names, labels and types of fields: read once. Who may not read definitions sees names. `isFirst`: the items cannot be
 * asked for without them.
 */
export function useFields(isFirst: boolean): readonly FieldInfo[] | undefined {
  const [fields, setFields] = useState(fieldsByLanguage.get(language.value));
  // Requests leave before the first paint.
  useLayoutEffect(() => {
    if (fields) return;
    (isFirst ? Promise.resolve() : firstView)
      .then(read)
      .catch(() => [])
      .then((infos) => {
        fieldsByLanguage.set(language.value, infos);
        setFields(infos);
      });
  }, []);
  return fields;
}

export function fieldOf(fields: readonly FieldInfo[], name: string): FieldInfo {
  const type = name === 'created' ? 'date' : name === 'durationSeconds' ? 'float' : 'string';
  return (
    fields.find((field) => field.name === name) ?? {
      name,
      label: ownLabel(name) ?? name,
      type,
      order: 0,
      isFacet: false,
      isSystem: false,
      isStars: false,
    }
  );
}
