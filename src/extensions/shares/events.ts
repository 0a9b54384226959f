import { about, emitterOf, firing } from '../../core/events/event-kinds.ts';
import type { TargetType } from './tables.ts';

type OfShare = { readonly share: string; readonly targetType: TargetType; readonly targetId: string };
/** `guest`: the name that the guest gave. */
type ByGuest = OfShare & { readonly guest?: string };

const ofShare = <More extends string = never>(trigger: string, ...more: readonly More[]) => ({
  resource: '/share' as const,
  says: about('share', trigger),
  tells: ['share', 'targetType', 'targetId', ...more] as const,
});

const sample = { share: 'VX-3', targetType: 'collection', targetId: 'VX-7' } as const;

export const shareEvents = {
  'share/create': firing<OfShare>(ofShare('CREATE'), sample),
  'share/modify': firing<OfShare>(ofShare('MODIFY'), sample),
  'share/delete': firing<OfShare>(ofShare('DELETE'), sample),
  'share/use': firing<ByGuest>({ ...ofShare('USE', 'guest'), fact: true }, { ...sample, guest: 'Ann' }),
  'share/upload': firing<ByGuest & { readonly itemId: string }>(
    { ...ofShare('UPLOAD', 'guest', 'itemId'), fact: true },
    { ...sample, guest: 'Ann', itemId: 'VX-9' },
  ),
};

export const shareEvent = emitterOf(shareEvents);
