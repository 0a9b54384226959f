import { useState } from 'preact/hooks';
import { addressOf, refusalOf } from '../../../api/client.ts';
import { me } from '../../../api/session.ts';
import { Copy } from '../../../components/copy.tsx';
import { Pending } from '../../../components/empty.tsx';
import { useLoad } from '../../../components/load.ts';
import { t } from '../../../texts/index.ts';
import { curlOf, type TabProps } from '../item.ts';

const types = { json: 'application/json', xml: 'application/xml' } as const;

/** The document as the API answers it, and the request for it. */
export function RawTab({ item }: TabProps) {
  const [form, setForm] = useState<keyof typeof types>('json');
  const path = addressOf(`/item/${item.id}`, { content: 'metadata,shape,access' });
  const { value, refusal, reload } = useLoad(`raw ${item.id} ${form} ${item.metadata?.revision}`, async (signal) => {
    const response = await fetch(path, { headers: { accept: types[form], 'portico-ui': '1' }, signal });
    if (!response.ok) throw await refusalOf(response);
    const text = await response.text();
    return form === 'json' ? JSON.stringify(JSON.parse(text), undefined, 2) : indented(text);
  });
  return (
    <div class="stack">
      <div class="row wrap">
        <div class="row" role="radiogroup" aria-label={t('item.document')}>
          {(['json', 'xml'] as const).map((each) => (
            <label key={each} class="check">
              <input type="radio" name="form" checked={form === each} onChange={() => setForm(each)} />
              <span>{each.toUpperCase()}</span>
            </label>
          ))}
        </div>
        <span class="grow" />
        <Copy text={() => value ?? ''} label={t('word.copy')} />
        <Copy
          text={() => curlOf(location.origin, path, me.value?.userName ?? '', types[form])}
          label={t('item.copyCurl')}
        />
      </div>
      {value === undefined ? (
        <Pending of={{ refusal, reload }} />
      ) : (
        <pre class="raw" tabIndex={0} aria-label={t('item.document')}>
          {value}
        </pre>
      )}
    </div>
  );
}

/** XML with a line for each element. */
function indented(xml: string): string {
  let depth = 0;
  return xml
    .replace(/></g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth -= 1;
      const text = '  '.repeat(Math.max(0, depth)) + line;
      if (/^<[^!?/][^>]*[^/]>$/.test(line) || /^<\w>$/.test(line)) depth += 1;
      return text;
    })
    .join('\n');
}
