import { beforeAll, describe, expect, it } from 'vitest';
import { defaultLimits } from '../../../src/core/documents/index.ts';
import { readXmeml } from '../../../src/extensions/projects/xmeml.ts';
import { newUser } from '../../support/cast.ts';
import { ended } from '../../support/files.ts';
import { asking, done } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { dataOf, explained, itemOf, start } from '../../support/transfers.ts';
import { costSince, cpuTime } from '../../support/turns.ts';
import { importer, outsider, type RoomWorld, sharedWorld } from '../../support/world.ts';

const ask = asking(importer);

const json = { accept: 'application/json', 'content-type': 'application/json' };
const rate = '<rate><timebase>25</timebase><ntsc>FALSE</ntsc></rate>';
const file = (id: string, name: string, path = `file:///Volumes/Rushes/${name}`) =>
  `<file id="${id}"><name>${name}</name><pathurl>${path}</pathurl></file>`;
const clip = (given: string, [start, end, from, to]: readonly number[], more = '') =>
  `<clipitem>${rate}<start>${start}</start><end>${end}</end><in>${from}</in><out>${to}</out>${given}${more}</clipitem>`;
const cut = (clips: string, sound = '') =>
  `<sequence id="cut-1"><name>Cut</name>${rate}<media><video><track>${clips}</track></video><audio>${sound}</audio></media></sequence>`;
const project = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE xmeml>\n<xmeml version="5">${inside}</xmeml>`;

interface Inspected {
  readonly location: string;
  readonly asset?: readonly { id: string; name: string; type: string; status: string; item?: object[] }[];
}

describe('the XML of an editing program', () => {
  const wide = '<a/>'.repeat(50_000);
  const defaultValue = `<rate>${wide}<timebase>25</timebase></rate>`;
  const plain = '<clipitem><start>0</start><end>1</end><in>0</in><out>1</out><file id="a"/></clipitem>';

  it.each([
    ['spaces ahead of its root', `${' '.repeat(500_000)}<xmeml/>`],
    [
      'a rate of many elements, and many clips that have none',
      `<xmeml><sequence>${defaultValue}<media><video><track>${plain.repeat(5000)}</track></video></media></sequence></xmeml>`,
    ],
  ])('is read in time of its length, with %s', async (_, source) => {
    const begun = cpuTime();
    await readXmeml(source, defaultLimits);
    // In time of its square it takes from seconds to minutes.
    expect(costSince(begun)).toBeLessThan(1500);
  });
});

describe('a project of an editing program', () => {
  let world: RoomWorld;
  let item: string;
  const shared = sharedWorld('imports');
  const from = (name: string, more = '') => `uri=${encodeURIComponent(`memory:///in/${name}`)}${more}`;
  const send = (path: string, body?: object, as = importer) =>
    world.send({ ...ask(`POST /API/${path}`, body && JSON.stringify(body), as), headers: json });
  const inspect = async (name: string, body?: object): Promise<Inspected> => {
    const answer = await send(`collection/project/inspect?${from(name)}`, body);
    expect(answer.status, answer.body).toBe(200);
    return JSON.parse(answer.body);
  };
  const mapped = (id: string) => ({ asset: [{ id, item }] });
  const placeOf = async (id: string): Promise<{ path: string; storage: string }> => {
    const { shape } = await itemOf(world, id, importer);
    const [{ id: fileId }] = shape[0]!.binaryComponent![0]!.file as readonly [{ id: string; path: string }];
    return done(world, ask(`GET /API/file/${fileId}`, undefined, admin));
  };
  const refusal = async (name: string, inside: string): Promise<string> => {
    world.from.put(name, project(inside));
    const answer = await send(`collection/project/inspect?${from(name)}`);
    expect(answer.status, answer.body).toBe(400);
    return explained(answer);
  };

  beforeAll(async () => {
    world = shared();
    world.from.put('one.txt', 'one');
    const job = await start(world, ask('POST /API/import?uri=memory:///in/one.txt'));
    item = dataOf(await ended(world, job.jobId), 'itemId')!;
    const clips = clip(file('file-1', 'one.mov'), [0, 50, 25, 75]) + clip('<file id="file-1"/>', [50, 75, 0, 25]);
    const sound = `<track>${clip(file('file-2', 'two.wav'), [0, 75, 0, 75], '<sourcetrack><trackindex>2</trackindex></sourcetrack>')}</track>`;
    world.from.put(
      'cut.xml',
      project(`<project><name>Feature</name><children>${cut(clips, sound)}</children></project>`),
    );
    world.from.put('one-cut.xml', project(cut(clips)));
  });

  it('tells its files, and which items they are', async () => {
    const seen = await inspect('cut.xml', mapped('file-1'));
    expect(seen).toMatchObject({ location: 'memory:///in/cut.xml', type: 'fcp' });
    expect(seen.asset).toMatchObject([
      {
        id: 'file-1',
        name: 'one.mov',
        type: 'video',
        status: 'FOUND',
        item: [{ id: item, match: 'mapping' }],
        file: [{ path: 'file:///Volumes/Rushes/one.mov' }],
      },
      { id: 'file-2', name: 'two.wav', type: 'audio', status: 'MISSING' },
    ]);
  });

  it('finds items by the path of their files, with a folder that stands for a storage or without', async () => {
    const { path, storage } = await placeOf(item);
    world.from.put('by-path.xml', project(cut(clip(file('a', 'x', `file:///Volumes/Rushes/${path}`), [0, 1, 0, 1]))));
    const folder = { storage: [{ path: 'file:///Volumes/Rushes/', id: storage }] };
    expect((await inspect('by-path.xml', folder)).asset).toMatchObject([{ item: [{ id: item, match: 'path' }] }]);
    const [address] = (await done<{ uri: string[] }>(world, ask(`GET /API/item/${item}/uri`, undefined, admin))).uri;
    world.from.put('by-address.xml', project(cut(clip(file('a', 'x', address), [0, 1, 0, 1]))));
    expect((await inspect('by-address.xml')).asset).toMatchObject([{ item: [{ id: item, match: 'path' }] }]);
  });

  it.each([
    ['as programs write them', 'file://localhost/Volumes/My%20Rushes/', 'FOUND'],
    ['as people write them', 'file:///Volumes/My Rushes', 'FOUND'],
    ['and not for another folder whose name begins so', 'file:///Volumes/My%20R', 'MISSING'],
  ])('takes folders that stand for a storage %s', async (_, path, status) => {
    const at = await placeOf(item);
    world.from.put(
      'folder.xml',
      project(cut(clip(file('a', 'x', `file://localhost/Volumes/My%20Rushes/${at.path}`), [0, 1, 0, 1]))),
    );
    const other = { path: 'file:///Volumes/My', id: 'VX-2' };
    const seen = await inspect('folder.xml', { storage: [other, { path, id: at.storage }] });
    expect(seen.asset).toMatchObject([{ status }]);
  });

  it('tells by a path of no item whose addresses the caller may not have', async () => {
    const guest: Credentials = ['guest', 'password of guest'];
    await prepare(world, [newUser(guest, ['_import'])]);
    const at = await placeOf(item);
    world.from.put('guess.xml', project(cut(clip(file('a', 'x', `file:///Rushes/${at.path}`), [0, 1, 0, 1]))));
    const folder = { storage: [{ path: 'file:///Rushes/', id: at.storage }] };
    const statusFor = async (entry: object) => {
      const given = await send(`item/${item}/access`, { user: guest[0], ...entry }, admin);
      expect(given.status, given.body).toBe(200);
      const answer = await send(`collection/project/inspect?${from('guess.xml')}`, folder, guest);
      return (JSON.parse(answer.body) as Inspected).asset?.map(({ status }) => status);
    };
    expect(await statusFor({ permission: 'READ' })).toEqual(['FOUND']);
    expect(await statusFor({ permission: 'NONE', operation: { uri: {} } })).toEqual(['MISSING']);
  });

  it('says which shape or storage of a mapping is none', async () => {
    const about = async (body: object) => {
      const answer = await send(`collection/project/inspect?${from('cut.xml')}`, body);
      return [answer.status, JSON.parse(answer.body).notFound?.type];
    };
    expect(await about({ asset: [{ id: 'file-1', item, shape: 'VX-9999' }] })).toEqual([404, 'Shape']);
    expect(await about({ storage: [{ path: 'file:///Volumes/', id: 'VX-9999' }] })).toEqual([404, 'Storage']);
  });

  it('becomes a collection with its items, its definition and its sequences, which is exported again', async () => {
    const answer = await send(`import/project?${from('one-cut.xml')}`, mapped('file-1'), admin);
    expect(answer.status, answer.body).toBe(200);
    const [id] = (JSON.parse(answer.body) as { uri: string[] }).uri;
    const made = await done<{ content: object[] }>(world, ask(`GET /API/collection/${id}`, undefined, admin));
    expect(made.content).toMatchObject([{ id: item, type: 'item' }]);
    const kept = await world.send({ as: admin, request: `GET /API/collection/${id}/definition/fcp` });
    expect(kept.body).toContain('<!DOCTYPE xmeml>');
    const edl = await world.send({ as: admin, request: `GET /API/collection/${id}/version/export?type=edl` });
    expect(edl.body).toContain('00:00:01:00 00:00:03:00 00:00:00:00 00:00:02:00');
    expect(edl.body).toContain('00:00:00:00 00:00:01:00 00:00:02:00 00:00:03:00');
    const again = await send(`import/project?${from('one-cut.xml', `&collectionId=${id}`)}`, mapped('file-1'), admin);
    const [version] = (JSON.parse(again.body) as { uri: string[] }).uri;
    const whole = await done<{ content: object[] }>(world, ask(`GET /API/collection/${id}`, undefined, admin));
    expect(whole.content).toContainEqual(expect.objectContaining({ id: version, type: 'collection' }));
  });

  it('becomes an item for each sequence, in frames of the program', async () => {
    const both = { asset: ['file-1', 'file-2'].map((id) => ({ id, item })) };
    const answer = await send(`import/project/sequence?${from('cut.xml')}`, both);
    expect(answer.status, answer.body).toBe(200);
    const [id] = (JSON.parse(answer.body) as { uri: string[] }).uri;
    expect((await itemOf(world, id!)).fields['title']).toBe('Cut');
    const sequence = await world.send({ as: admin, request: `GET /API/item/${id}/sequence/vidispine` });
    expect(sequence.body).toContain('<out><samples>50</samples>');
    expect(sequence.body).toContain('<sourceTrack>2</sourceTrack>');
  });

  it.each([
    ['import/project', '/ProjectVersionDocument'],
    ['import/project/sequence', '/SequenceDocument'],
  ])('is refused by %s with a track that nobody could read again', async (path, root) => {
    const clips = clip('<file id="file-1"/>', [0, 1, 0, 1]);
    world.from.put('long.xml', project(cut(clips.repeat(1001))));
    const answer = await send(`${path}?${from('long.xml')}`, mapped('file-1'), admin);
    expect([answer.status, explained(answer)]).toEqual([
      400,
      expect.stringContaining('at most 1000 elements "segment"'),
    ]);
    expect(answer.body).toContain(root);
  });

  it('is taken where an export of this service wrote it', async () => {
    const sequence = { track: [{ audio: false, segment: [{ item, sourceTrack: 1, ...times(0, 50, 25) }] }] };
    const written = await world.send({
      ...ask('POST /API/sequence/export?type=fcp', JSON.stringify({ sequence }), admin),
      headers: { 'content-type': 'application/json' },
    });
    expect(written.status, written.body).toBe(200);
    world.from.put('own.xml', written.body);
    expect((await inspect('own.xml')).asset).toMatchObject([{ status: 'FOUND', item: [{ id: item }] }]);
  });

  it('makes nothing as long as a file is no item, and names it', async () => {
    const answer = await send(`import/project/sequence?${from('cut.xml')}`, mapped('file-1'));
    expect([answer.status, explained(answer)]).toEqual([400, expect.stringContaining('map file-2 (two.wav)')]);
    expect((await send(`import/project?${from('one-cut.xml')}`, undefined, admin)).status).toBe(400);
    expect((await send(`import/project?${from('one-cut.xml')}`, mapped('file-1'))).status).toBe(403);
  });

  it('tells of no item that the caller may not read', async () => {
    const asked = {
      ...ask(`POST /API/collection/project/inspect?${from('one-cut.xml')}`),
      as: outsider,
      headers: json,
    };
    const answer = await world.send({ ...asked, body: JSON.stringify(mapped('file-1')) });
    expect((JSON.parse(answer.body) as Inspected).asset).toMatchObject([{ status: 'MISSING' }]);
    expect(answer.body).not.toContain(item);
  });

  it.each([
    ['no sequence of frames', cut(clip(file('a', 'a'), [0, 1, 0, Number.NaN])), 'a number of frames'],
    ['a transition', cut(clip(file('a', 'a'), [-1, 1, 0, 1])), 'without transitions'],
    ['a clip that ends ahead of its start', cut(clip(file('a', 'a'), [5, 4, 0, 1])), 'a frame behind that of'],
    ['a file without an id', cut(clip('<file/>', [0, 1, 0, 1])), 'an attribute id'],
    [
      'more tracks than a program has',
      `<sequence><media><video>${'<track/>'.repeat(1001)}</video></media></sequence>`,
      'at most 1000 tracks',
    ],
    ['no rate', cut(clip(file('a', 'a'), [0, 1, 0, 1])).replaceAll(rate, ''), 'frames a second'],
  ])('is refused with %s', async (_, inside, sentence) => {
    expect(await refusal('bad.xml', inside)).toContain(sentence);
  });

  it.each([
    ['entities that grow', '<!DOCTYPE xmeml [<!ENTITY a "aaaa">]><xmeml>&a;</xmeml>', 'document type'],
    ['an entity that names a file', '<!DOCTYPE xmeml SYSTEM "file:///etc/passwd"><xmeml/>', 'document type'],
    ['bytes that are no XML', 'PK\u0003\u0004', 'well-formed'],
    ['another root', '<fcpxml version="1.9"/>', 'the root xmeml'],
  ])('an attack or a mistake is refused: %s', async (_, source, sentence) => {
    world.from.put('hostile.xml', source);
    const answer = await send(`collection/project/inspect?${from('hostile.xml')}`);
    expect([answer.status, explained(answer)]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it('a project becomes a collection for nobody who may not import', async () => {
    const collector: Credentials = ['collector', 'password of collector'];
    await prepare(world, [newUser(collector, ['_collection_read', '_collection_write'])]);
    const refused = await send(`import/project?${from('one-cut.xml')}`, mapped('file-1'), collector);
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('_import')]);
  });

  it('a project is read nowhere that an import may not read', async () => {
    const passwd = await send('collection/project/inspect?uri=file:///etc/passwd');
    expect([passwd.status, explained(passwd)]).toEqual([400, expect.stringContaining('Expected')]);
    expect((await send('collection/project/inspect?uri=http://127.0.0.1/a.xml')).status).toBe(400);
    expect((await send(`collection/project/inspect?${from('nowhere.xml')}`)).status).toBe(400);
    expect((await send('collection/project/inspect')).status).toBe(400);
    expect((await send(`collection/project/inspect?${from('cut.xml', '&type=aaf')}`)).status).toBe(400);
  });
});

const times = (start: number, end: number, from: number) => {
  const at = (samples: number) => ({ samples, timeBase: { numerator: 1, denominator: 25 } });
  return { in: at(start), out: at(end), sourceIn: at(from), sourceOut: at(from + end - start) };
};
