import type { StorageListDocument, StorageRuleDocument, TranscodePresetDocument, URIListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { exists, get, Refusal, send } from '../api/client.ts';
import { AskButton } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import type { Part } from '../components/document.ts';
import { DocumentForm } from '../components/document-form.tsx';
import { Empty, Shown } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Head } from '../components/head.tsx';
import { Find } from '../components/list-query.tsx';
import { useLoad } from '../components/load.ts';
import { act } from '../components/refusal.tsx';
import { toast } from '../components/toast.ts';
import { Fact } from '../components/values.tsx';
import { codecWords } from '../components/words.ts';
import { useKeys } from '../keys.ts';
import { may } from '../rights.ts';
import { Link, navigate, type PageProps } from '../router.tsx';
import { t } from '../texts/index.ts';
import './people/page.css';

const pathOf = (tag: string): string => `/shape-tag/${encodeURIComponent(tag)}`;
const rulePath = (tag: string): string => `/shape-tag/storage-rule/${encodeURIComponent(tag)}`;

export default function Page({ params: { tag = '' } }: PageProps) {
  return <Tag key={tag} tag={tag} />;
}

export function Tags({ query }: Pick<PageProps, 'query'>) {
  const q = (query['q'] ?? '').toLowerCase();
  const [making, setMaking] = useState(false);
  const mayMake = may('tag.write');
  const tags = useLoad('tags', (signal) => get<URIListDocument>('/shape-tag', { signal }));
  useKeys({ n: () => setMaking(mayMake) }, { n: t('tags.make') });
  return (
    <div class="stack">
      <header class="page-head">
        <Find />
        {mayMake && (
          <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
            {t('tags.make')}
          </Button>
        )}
      </header>
      <Shown of={tags}>
        {({ uri = [] }) => {
          const matches = uri.filter((tag) => tag.toLowerCase().includes(q));
          return matches.length === 0 ? (
            <Empty icon="tag" text={t('word.nothingFound')} />
          ) : (
            <ul class="tags">
              {matches.map((tag) => (
                <li key={tag}>
                  <Link to={`/tag/${encodeURIComponent(tag)}`}>{tag}</Link>
                </li>
              ))}
            </ul>
          );
        }}
      </Shown>
      {making && (
        <FormDialog
          title={t('tags.make')}
          onClose={() => setMaking(false)}
          work={async (readField) => {
            const name = readField('name');
            if (await exists(pathOf(name))) throw new Error(t('word.taken', { name }));
            await send('PUT', pathOf(name), { format: 'mp4', video: { codec: 'h264' }, audio: { codec: 'aac' } });
            navigate(`/tag/${encodeURIComponent(name)}`);
          }}
        >
          <Field label={t('word.name')} name="name" required autocomplete="off" hint={t('tags.makeHint')} />
        </FormDialog>
      )}
    </div>
  );
}

interface TagForm {
  /** JSON. */
  readonly preset: string;
  readonly script?: string;
  readonly rule?: StorageRuleDocument;
}

const orNothing = (error: unknown): undefined => {
  if (!(error instanceof Refusal) || error.status !== 404) throw error;
};

async function readTag(tag: string, signal?: AbortSignal): Promise<TagForm> {
  const [preset, script, rule] = await Promise.all([
    get<TranscodePresetDocument>(pathOf(tag), { signal }),
    get<string>(`${pathOf(tag)}/script`, { signal, headers: { accept: 'text/plain' } }).catch(orNothing),
    may('rule.read') ? get<StorageRuleDocument>(rulePath(tag), { signal }).catch(orNothing) : undefined,
  ]);
  return { preset: JSON.stringify(preset, null, 2), ...(script && { script }), ...(rule && { rule }) };
}

/** Writes what differs. */
async function saveTag(tag: string, { preset, script, rule }: TagForm, before: TagForm): Promise<void> {
  const at = pathOf(tag);
  if (preset !== before.preset) await send('PUT', at, JSON.parse(preset || '{}'));
  if (script !== before.script) await send(script ? 'PUT' : 'DELETE', `${at}/script`, script);
  if (JSON.stringify(rule) !== JSON.stringify(before.rule))
    await send(rule?.storageCount || rule?.storage ? 'PUT' : 'DELETE', rulePath(tag), rule);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text || '{}');
    return true;
  } catch {
    return false;
  }
}

function Tag({ tag }: { tag: string }) {
  const loaded = useLoad(tag, async (signal) => {
    const [form, storages] = await Promise.all([
      readTag(tag, signal),
      may('storage.read') ? get<StorageListDocument>('/storage', { signal }) : {},
    ]);
    return { form, storages: ((storages as StorageListDocument).storage ?? []).map(({ id = '' }) => id) };
  });
  // Templates of the service begin so, and stay as they are.
  const writable = may('tag.write') && !tag.startsWith('__');
  return (
    <div class="page stack">
      <Shown of={loaded} rows={8}>
        {({ form, storages }) => (
          <>
            <Head to="/tags" up={t('nav.tags')} title={tag}>
              {writable && (
                <AskButton
                  kind="danger"
                  action={t('word.delete')}
                  question={t('tags.deleteQuestion', { tag })}
                  onYes={() =>
                    void act(() => send('DELETE', pathOf(tag))).then((worked) => worked && navigate('/tags'))
                  }
                />
              )}
            </Head>
            <Facts preset={JSON.parse(form.preset)} />
            <div class="card tag-form">
              <DocumentForm
                parts={partsOf(storages)}
                value={form}
                writable={writable}
                read={() => readTag(tag)}
                save={async (changed) => {
                  if (!isJson(changed.preset))
                    throw new Refusal(400, 'invalidInput', { context: '/preset', explanation: t('tags.noJson') });
                  await saveTag(tag, changed, await readTag(tag));
                }}
                onSaved={() => {
                  toast(t('word.saved'));
                  loaded.reload();
                }}
              />
            </div>
          </>
        )}
      </Shown>
    </div>
  );
}

const partsOf = (storages: readonly string[]): readonly Part[] => [
  { at: 'preset', label: t('tags.preset'), kind: 'long', rows: 14 },
  { at: 'script', label: t('tags.script'), hint: t('tags.scriptHint'), kind: 'long', rows: 6 },
  ...(may('rule.write')
    ? ([
        { at: 'rule.storageCount', label: t('tags.copies'), kind: 'number', min: 0 },
        { at: 'rule.storage', label: t('nav.storages'), hint: storages.join(', '), kind: 'lines' },
      ] as const)
    : []),
];

/** Summary of what the preset makes. */
function Facts({ preset: { format, video, audio } }: { preset: TranscodePresetDocument }) {
  const { width, height } = video?.scaling ?? {};
  return (
    <dl class="facts">
      <Fact name={t('library.tag')}>{format?.toUpperCase()}</Fact>
      <Fact name={t('tags.video')}>
        {[video?.codec && codecWords(video.codec), width && height && `${width} × ${height}`]
          .filter(Boolean)
          .join(', ')}
      </Fact>
      <Fact name={t('tags.audio')}>{audio?.codec && codecWords(audio.codec)}</Fact>
    </dl>
  );
}
