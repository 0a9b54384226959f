import type { CollectionListDocument, MetadataFieldListDocument, URIListDocument } from 'portico/types';
import { useEffect, useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { currentOptions, nextOptions } from '../../api/upload.ts';
import type { UploadOptions } from '../../api/upload-list.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Check, Field } from '../../components/field.tsx';
import { isForItems, tagWords } from '../../components/words.ts';
import { has, may } from '../../rights.ts';
import { t } from '../../texts/index.ts';

interface Choices {
  readonly tags: readonly string[];
  readonly collections: readonly { readonly id: string; readonly name: string }[];
  readonly fields: readonly string[];
}

/** Formats that are seen at once: that for the web is the first. */
const shownTags = 1;

/** Fields with plain text: others have their form on the page of the item. */
const textTypes = ['string', 'string-exact', 'string-noindex'];

async function choices(): Promise<Choices> {
  const none =
    <T,>(value: T) =>
    () =>
      value;
  const [tags, collections, fields] = await Promise.all([
    has('_shape_tag_read') ? get<URIListDocument>('/shape-tag').catch(none<URIListDocument>({})) : {},
    may('collection.write')
      ? get<CollectionListDocument>('/collection', { query: { number: '200' } }).catch(none<CollectionListDocument>({}))
      : {},
    may('field.read')
      ? get<MetadataFieldListDocument>('/metadata-field').catch(none<MetadataFieldListDocument>({}))
      : {},
  ]);
  return {
    tags: ((tags as URIListDocument).uri ?? [])
      .filter((tag) => tag !== 'original')
      .toSorted((one, other) => Number(other === me.value?.webTag) - Number(one === me.value?.webTag)),
    collections: ((collections as CollectionListDocument).collection ?? []).flatMap(({ id, name }) =>
      id === undefined ? [] : [{ id, name: name || id }],
    ),
    fields: ((fields as MetadataFieldListDocument).field ?? []).flatMap((field) =>
      field.name !== undefined && textTypes.includes(field.type ?? '') && isForItems(field) ? [field.name] : [],
    ),
  };
}

/** Options for all files of the next drop. */
export function OptionsForm() {
  const now = currentOptions();
  const [choiceLists, setChoiceLists] = useState<Choices>({ tags: [], collections: [], fields: [] });
  const [rows, setRows] = useState<readonly (readonly [name: string, value: string])[]>(Object.entries(now.fields));
  useEffect(() => void choices().then(setChoiceLists), []);
  const change = (to: Partial<UploadOptions>) => {
    nextOptions.value = { ...now, ...to };
  };
  const changeRows = (next: typeof rows) => {
    setRows(next);
    change({ fields: Object.fromEntries(next.filter(([name, value]) => name !== '' && value.trim() !== '')) });
  };
  const tick = (tag: string) => (
    <Check
      key={tag}
      label={tagWords(tag)}
      checked={now.tags.includes(tag)}
      onChange={({ currentTarget: { checked } }) =>
        change({ tags: checked ? [...now.tags, tag] : now.tags.filter((each) => each !== tag) })
      }
    />
  );
  const names = choiceLists.fields.length > 0 ? choiceLists.fields : ['title'];
  return (
    <form class="upload-options" onSubmit={(event) => event.preventDefault()}>
      <h2>{t('upload.forAll')}</h2>
      {choiceLists.tags.length > 0 && (
        <fieldset>
          <legend>{t('upload.tags')}</legend>
          <div class="upload-tags">{choiceLists.tags.slice(0, shownTags).map(tick)}</div>
          {choiceLists.tags.length > shownTags && (
            <details>
              <summary>{t('upload.moreTags')}</summary>
              <div class="upload-tags">{choiceLists.tags.slice(shownTags).map(tick)}</div>
            </details>
          )}
        </fieldset>
      )}
      {choiceLists.collections.length > 0 && (
        <Field
          label={t('upload.collection')}
          value={now.collection ?? ''}
          options={[
            ['', t('upload.noCollection')],
            ...choiceLists.collections.map(({ id, name }) => [id, name] as const),
          ]}
          onChange={({ currentTarget: { value } }) => change({ collection: value === '' ? undefined : value })}
        />
      )}
      {may('item.edit') && (
        <fieldset>
          <legend>{t('upload.metadata')}</legend>
          {rows.map(([name, value], at) => (
            <div class="upload-field" key={String(at)}>
              <select
                class="input"
                aria-label={t('upload.field')}
                value={name}
                onChange={({ currentTarget }) =>
                  changeRows(rows.map((row, index) => (index === at ? [currentTarget.value, value] : row)))
                }
              >
                {[...new Set([name, ...names])].map((each) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ))}
              </select>
              <input
                class="input"
                aria-label={t('upload.valueOf', { field: name })}
                value={value}
                onInput={({ currentTarget }) =>
                  changeRows(rows.map((row, index) => (index === at ? [name, currentTarget.value] : row)))
                }
              />
              <IconButton
                icon="x"
                label={t('upload.removeField', { field: name })}
                onClick={() => changeRows(rows.filter((_, index) => index !== at))}
              />
            </div>
          ))}
          <Button
            onClick={() => {
              const used = new Set(rows.map(([name]) => name));
              const next = ['title', ...names].find((name) => names.includes(name) && !used.has(name));
              if (next !== undefined) setRows([...rows, [next, '']]);
            }}
          >
            {t('upload.addField')}
          </Button>
        </fieldset>
      )}
    </form>
  );
}
