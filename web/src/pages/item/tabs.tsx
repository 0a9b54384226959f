import type { ComponentType } from 'preact';
import { may } from '../../rights.ts';
import type { Key } from '../../texts/index.ts';
import type { TabProps } from './item.ts';
import { AccessTab } from './tabs/access.tsx';
import { CollectionsTab } from './tabs/collections.tsx';
import { HistoryTab } from './tabs/history.tsx';
import { JobsTab } from './tabs/jobs.tsx';
import { MetadataTab } from './tabs/metadata.tsx';
import { RawTab } from './tabs/raw.tsx';
import { ShapesTab } from './tabs/shapes.tsx';

interface TabRow {
  readonly id: string;
  readonly text: Key;
  readonly isShown: () => boolean;
  readonly Tab: ComponentType<TabProps>;
}

/** Tabs of an item, for who may read what they show. */
export const tabs: readonly TabRow[] = [
  { id: 'metadata', text: 'item.metadata', isShown: () => may('item.metadata'), Tab: MetadataTab },
  { id: 'forms', text: 'item.forms', isShown: () => may('item.shapes'), Tab: ShapesTab },
  { id: 'collections', text: 'item.collections', isShown: () => may('collection.read'), Tab: CollectionsTab },
  { id: 'history', text: 'item.history', isShown: () => may('item.metadata'), Tab: HistoryTab },
  { id: 'access', text: 'access.title', isShown: () => may('item.access'), Tab: AccessTab },
  { id: 'jobs', text: 'item.jobs', isShown: () => may('job.read'), Tab: JobsTab },
  { id: 'raw', text: 'item.raw', isShown: () => may('item.read'), Tab: RawTab },
];
