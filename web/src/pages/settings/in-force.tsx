import type { SettingListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { Mark } from '../../components/chips.tsx';
import { Empty, Shown } from '../../components/empty.tsx';
import { Check, Field } from '../../components/field.tsx';
import { useLoad } from '../../components/load.ts';
import { Table } from '../../components/table.tsx';
import { t } from '../../texts/index.ts';

type Setting = NonNullable<SettingListDocument['setting']>[number];

/** Settings of the process, to read: they change with its command line and its environment. */
export function InForce() {
  const [text, setText] = useState('');
  const [onlySet, setOnlySet] = useState(false);
  const list = useLoad('settings in force', (signal) => get<SettingListDocument>('/setting', { signal }));
  const fits = ({ variable, says, source }: Setting) =>
    (!onlySet || source !== 'default') && `${variable} ${says}`.toLowerCase().includes(text.trim().toLowerCase());
  return (
    <div class="stack">
      <p class="muted">{t('settings.inForce.about')}</p>
      <div class="row wrap settings-find">
        <Field
          label={t('settings.inForce.find')}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Check
          label={t('settings.inForce.onlySet')}
          checked={onlySet}
          onChange={(event) => setOnlySet(event.currentTarget.checked)}
        />
      </div>
      <Shown of={list} rows={8}>
        {({ setting = [] }) => {
          const rows = setting.filter(fits);
          return rows.length === 0 ? (
            <Empty icon="settings" text={t('settings.inForce.none')} />
          ) : (
            <Table
              label={t('settings.tab.inForce')}
              rows={rows}
              keyOf={({ name }) => name}
              columns={[
                {
                  id: 'name',
                  title: t('settings.inForce.setting'),
                  cell: ({ variable, says }) => (
                    <>
                      <code>{variable}</code>
                      <br />
                      <span class="muted">{says}</span>
                    </>
                  ),
                },
                { id: 'value', title: t('settings.value'), cell: (row) => <Value row={row} /> },
                {
                  id: 'from',
                  title: t('settings.inForce.from'),
                  cell: ({ source, flag }) => (
                    <Mark tone={source === 'default' ? undefined : 'live'}>
                      {source === 'flag' ? flag : t(`settings.from.${source}`)}
                    </Mark>
                  ),
                },
              ]}
            />
          );
        }}
      </Shown>
    </div>
  );
}

function Value({ row: { secret, isSet, value } }: { readonly row: Setting }) {
  if (secret) return <span class="muted">{t(isSet ? 'settings.inForce.secret' : 'settings.inForce.unset')}</span>;
  if (value === undefined) return <span class="muted">{t('settings.inForce.unset')}</span>;
  return <code class="any-name">{value}</code>;
}
