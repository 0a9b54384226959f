import type { QuotaHistoryDocument, QuotaRuleDocument, QuotaRuleListDocument } from 'portico/types';
import { get, send } from '../../api/client.ts';
import { Mark } from '../../components/chips.tsx';
import type { Part } from '../../components/document.ts';
import { Records } from '../../components/records.tsx';
import type { Column } from '../../components/table.tsx';
import { Bar, Time } from '../../components/values.tsx';
import { may } from '../../rights.ts';
import { numberText, sizeText, t } from '../../texts/index.ts';
import {
  criteria,
  daysLeft,
  documentOfRule,
  fullest,
  type Resource,
  type Rule,
  resources,
  ruleOf,
  shareOf,
  toneOf,
} from './quota.ts';
import './page.css';

/** A rule with what is known of its last weeks. */
interface RuleWithHistory extends Rule {
  readonly history?: QuotaHistoryDocument;
}

const address = ({ id = '' }: Rule): string => `/quota/${encodeURIComponent(id)}`;
/** Rules of which the page tells when they are full. */
const maxForecasts = 20;
const month = 30 * 86_400_000;

/** The rules, the fullest first. */
async function load(signal: AbortSignal): Promise<readonly RuleWithHistory[]> {
  const { rule = [] } = await get<QuotaRuleListDocument>('/quota', { signal });
  const rules = rule.map(ruleOf).toSorted((one, other) => fullest(other) - fullest(one));
  const since = new Date(Date.now() - month).toISOString();
  return Promise.all(
    rules.map(async (each, at) =>
      at < maxForecasts
        ? {
            ...each,
            history: await get<QuotaHistoryDocument>(`${address(each)}/history`, { query: { since }, signal }),
          }
        : each,
    ),
  );
}

const nameOf = (rule: Rule): string => rule.description || rule.id || '';
const amount = (name: Resource, value: number): string => (name === 'item' ? numberText(value) : sizeText(value));

export function Quota() {
  const columns: readonly Column<RuleWithHistory>[] = [
    {
      id: 'rule',
      title: t('quota.rule'),
      cell: (rule) => (
        <div class="quota-rule">
          <strong>{nameOf(rule)}</strong>
          <span class="muted">
            {criteria.flatMap((each) => (rule[each] ? `${t(`quota.of.${each}`)} ${rule[each]}` : [])).join(' · ') ||
              t('quota.everything')}
          </span>
        </div>
      ),
    },
    {
      id: 'usage',
      title: t('quota.usage'),
      cell: (rule) => resources.map((name) => <Usage key={name} rule={rule} name={name} />),
    },
    {
      id: 'excess',
      title: t('quota.excess'),
      cell: ({ enforce }) => <Mark>{t(enforce ? 'quota.refused' : 'quota.told')}</Mark>,
    },
    { id: 'at', title: t('quota.counted'), cell: ({ lastUpdate }) => <Time at={lastUpdate} /> },
  ];
  return (
    <div class="quota">
      <Records<RuleWithHistory>
        title={t('quota.title')}
        icon="chart"
        none={t('quota.none')}
        make={t('quota.make')}
        about={t('quota.about')}
        writable={may('quota.write')}
        load={load}
        nameOf={nameOf}
        columns={columns}
        parts={() => parts()}
        blank={{ limit: {}, usage: {} }}
        read={async (rule) => ruleOf(await get<QuotaRuleDocument>(address(rule)))}
        save={({ history: _, ...rule }, before) =>
          before ? send('PUT', address(before), documentOfRule(rule)) : send('POST', '/quota', documentOfRule(rule))
        }
        remove={(rule) => send('DELETE', address(rule))}
      />
    </div>
  );
}

const parts = (): readonly Part[] => [
  { at: 'description', label: t('word.name') },
  { at: 'limit.item', label: t('quota.limit.item'), kind: 'number', min: 0 },
  { at: 'limit.storage', label: t('quota.limit.storage'), hint: t('quota.size'), kind: 'size' },
  ...criteria.map((at) => ({ at, label: t(`quota.of.${at}`) })),
  { at: 'enforce', label: t('quota.enforce'), kind: 'flag' },
];

function Usage({ rule, name }: { readonly rule: RuleWithHistory; readonly name: Resource }) {
  const share = shareOf(rule, name);
  if (share === undefined) return null;
  const days = rule.history && daysLeft(rule, name, rule.history, Date.now());
  const values = { used: amount(name, rule.usage[name] ?? 0), limit: amount(name, rule.limit[name]!) };
  return (
    <div class="quota-usage">
      <Bar label={`${nameOf(rule)}: ${t(`quota.limit.${name}`)}`} value={share} tone={toneOf(share)} />
      <span>
        {t(`quota.used.${name}`, values)}
        {days !== undefined && ` · ${t('quota.full', { days })}`}
      </span>
    </div>
  );
}
