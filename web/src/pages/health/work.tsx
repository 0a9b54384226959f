import type { WorkListDocument } from 'portico/types';
import { get } from '../../api/client.ts';
import { Mark } from '../../components/chips.tsx';
import { Shown } from '../../components/empty.tsx';
import { useEvery, useLoad } from '../../components/load.ts';
import { type Column, Table } from '../../components/table.tsx';
import { Bar, Time } from '../../components/values.tsx';
import { numberText, t } from '../../texts/index.ts';
import { workRows, workTone } from './health.ts';

type Row = ReturnType<typeof workRows>[number];

/** Work beside requests: what runs, what is due, and what is late. */
export function Work() {
  const work = useLoad('work', (signal) => get<WorkListDocument>('/work', { signal }));
  useEvery(10_000, work.reload);
  const columns: readonly Column<Row>[] = [
    { id: 'kind', title: t('health.tab.work'), cell: (row) => <Kind row={row} /> },
    {
      id: 'state',
      title: t('health.state'),
      cell: ({ word }) => <Mark tone={workTone(word)}>{t(`health.work.${word}`)}</Mark>,
    },
    { id: 'waiting', title: t('health.work.waiting'), at: 'end', cell: ({ waiting = 0 }) => numberText(waiting) },
    {
      id: 'running',
      title: t('health.work.running'),
      at: 'end',
      cell: ({ leased, running = 0 }) => numberText(leased ?? running),
    },
    {
      id: 'done',
      title: t('health.done'),
      at: 'end',
      cell: ({ done = 0, failed = 0 }) => `${numberText(done)} / ${numberText(failed)}`,
    },
    { id: 'due', title: t('health.due'), cell: ({ due, oldest }) => <Time at={due ?? oldest} /> },
  ];
  return (
    <Shown of={work} rows={10}>
      {({ work: rows = [] }) => (
        <Table
          label={t('health.tab.work')}
          columns={columns}
          rows={workRows(rows, Date.now())}
          keyOf={({ kind }) => kind}
        />
      )}
    </Shown>
  );
}

function Kind({ row: { kind, says, piece = [], word, lastFailure, lastFailureReason } }: { readonly row: Row }) {
  return (
    <div class="health-kind">
      {says}
      <code class="muted">{kind}</code>
      {word === 'failing' && (
        <span class="bad">
          {lastFailureReason} <Time at={lastFailure} />
        </span>
      )}
      {piece.map(({ name, done, of, says: waits }) => (
        <div key={name} class="small muted">
          {name}: {waits ?? `${numberText(done)}${of === undefined ? '' : ` / ${numberText(of)}`}`}
          <Bar label={`${kind} ${name}`} value={of ? done / of : undefined} />
        </div>
      ))}
    </div>
  );
}
