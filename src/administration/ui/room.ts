import { below } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import { isOpen, pageRoutes, type UiSettings, uiSettings, welcome } from './routes.ts';

/** The web page: its files, and the way to them. */
export const ui = defineRoom({
  name: 'ui',
  settings: uiSettings,
  open: (context: RoomContext<UiSettings>) => ({
    routes: [below('ui', () => pageRoutes(context))],
    services: { welcome: welcome(context) },
    provides: { isOpen: () => isOpen(context) },
  }),
});
