import { notificationDocument, onCreate } from '../../administration/notifications/support.ts';
import { jsonList } from './bodies.ts';
import { get, hostileTo, json, type Load } from './load.ts';

const none: readonly Load[] = [];
/** The same handlers answer at every other place. */
export const at = '/group/notification';
const one = `${at}/VX-1`;

const send = (request: string, title: string, status: number, body: string): Load => ({
  title,
  status,
  request: () => json(request, body),
});
const fullData = jsonList(
  '{"action":{"ejb":{"bean":"b","method":"m","data":[',
  (index) => `{"key":"k${index}","value":"${'v'.repeat(900)}"}`,
  ']}},"trigger":{"group":{"create":""}}}',
);
const plain = JSON.stringify(notificationDocument(onCreate));

/** Request of each route below `/group/notification` and of the feed, with costlier variants. */
export const notificationLoads: Readonly<
  Record<string, { readonly request: (run: number) => string; readonly body?: string; readonly loads: readonly Load[] }>
> = {
  [`GET ${at}`]: { request: () => `GET /API${at}`, loads: [get(at), get(`${at}?first=1001`)] },
  [`POST ${at}`]: {
    request: () => `POST /API${at}`,
    body: plain,
    loads: [
      ...hostileTo(`POST /API${at}`, 'NotificationDocument'),
      send(`POST /API${at}`, 'full lists', 400, fullData),
    ],
  },
  [`DELETE ${at}`]: { request: () => 'DELETE /API/job/notification', loads: none },
  [`GET ${at}/:notification`]: { request: () => `GET /API${one}`, loads: none },
  [`PUT ${at}/:notification`]: {
    request: () => `PUT /API${one}`,
    body: plain,
    loads: [
      ...hostileTo(`PUT /API${one}`, 'NotificationDocument'),
      send(`PUT /API${one}`, 'full lists', 400, fullData),
    ],
  },
  [`DELETE ${at}/:notification`]: { request: (run) => `DELETE /API${at}/N-${2000 - run}`, loads: none },
  [`GET ${at}/:notification/external-id`]: { request: () => `GET /API${one}/external-id`, loads: none },
  [`DELETE ${at}/:notification/external-id`]: { request: () => `DELETE /API${one}/external-id`, loads: none },
  [`PUT ${at}/:notification/external-id/:externalId`]: {
    request: (run) => `PUT /API${one}/external-id/e.${run}`,
    loads: none,
  },
  [`DELETE ${at}/:notification/external-id/:externalId`]: {
    request: () => `DELETE /API${one}/external-id/none`,
    loads: none,
  },
  [`GET ${at}/:notification/secret`]: { request: () => `GET /API${one}/secret`, loads: none },
  [`POST ${at}/:notification/secret`]: { request: () => `POST /API${one}/secret`, loads: none },
  [`GET ${at}/:notification/health`]: { request: () => `GET /API${one}/health`, loads: none },
  [`POST ${at}/:notification/pause`]: { request: () => `POST /API${one}/pause`, loads: none },
  [`POST ${at}/:notification/resume`]: { request: () => `POST /API${one}/resume`, loads: none },
  [`GET ${at}/:notification/delivery`]: {
    request: () => `GET /API${one}/delivery`,
    loads: [get(`${one}/delivery?number=1000`), get(`${one}/delivery?number=1000&first=4000`)],
  },
  [`GET ${at}/:notification/delivery/:delivery`]: { request: () => `GET /API${one}/delivery/1`, loads: none },
  [`POST ${at}/:notification/delivery/:delivery/retry`]: {
    request: (run) => `POST /API${one}/delivery/${100 + run}/retry`,
    loads: none,
  },
  [`GET ${at}/:notification/parked`]: {
    request: () => `GET /API${one}/parked`,
    loads: [get(`${one}/parked?number=1000`), get(`${one}/parked?number=1000&first=4000`)],
  },
  [`DELETE ${at}/:notification/parked`]: { request: () => `DELETE /API${at}/N-1/parked`, loads: none },
  [`DELETE ${at}/:notification/parked/:sequence`]: {
    request: (run) => `DELETE /API${one}/parked/${100 + run}`,
    loads: none,
  },
  [`POST ${at}/:notification/parked/:sequence/retry`]: {
    request: (run) => `POST /API${one}/parked/${200 + run}/retry`,
    loads: none,
  },
  [`GET ${at}/:notification/replay`]: { request: () => `GET /API${one}/replay`, loads: none },
  [`POST ${at}/:notification/replay`]: { request: () => `POST /API${one}/replay?since=6h&dryRun=true`, loads: none },
  [`DELETE ${at}/:notification/replay`]: { request: () => `DELETE /API${one}/replay`, loads: none },
  [`POST ${at}/:notification/test`]: { request: () => `POST /API${one}/test`, loads: none },
  'GET /event': {
    request: () => 'GET /API/event',
    loads: [get('/event?number=1000'), get('/event?since=4000&number=1000')],
  },
};
