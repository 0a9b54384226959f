import { AccessView } from '../../access/view.tsx';
import { reaches, type TabProps } from '../item.ts';

export const AccessTab = ({ item, reload }: TabProps) => (
  <AccessView at={`/item/${item.id}`} mayGive={reaches(item, 'ALL')} onDone={reload} />
);
