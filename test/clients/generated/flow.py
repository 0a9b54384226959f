"""The flow of flow.ts, by the client that openapi-python-client makes: python flow.py ADDRESS"""

import base64
import importlib
import io
import json
import os
import pkgutil
import sys
import time

import portico_client
from portico_client import AuthenticatedClient
from portico_client.api.import_ import post_import_placeholder, post_import_placeholder_by_item_by_component_raw
from portico_client.api.item import delete_item_by_item, get_item_by_item, post_item_by_item_share, put_item
from portico_client.api.job import get_job_by_job
from portico_client.api.storage import get_storage_file_by_file_data
from portico_client.api.token import get_token
from portico_client.api.whoami import get_whoami
from portico_client.models import GetItemByItemContentItem, ItemSearchDocument, MetadataDocument, ShareDocument
from portico_client.types import File

for module in pkgutil.walk_packages(portico_client.__path__, "portico_client."):
    importlib.import_module(module.name)

address = sys.argv[1] + "/API"
headers = {"Accept": "application/json, text/plain;q=0.9, */*;q=0.1"}


def as_caller(scheme, credentials):
    return AuthenticatedClient(base_url=address, token=credentials, prefix=scheme, headers=headers)


password = base64.b64encode(f"admin:{os.environ['PASSWORD']}".encode()).decode()
client = as_caller("token", get_token.sync(client=as_caller("Basic", password)).token)

word = "python"
items = []
for place in range(1, 4):
    field = {"name": "title", "value": [{"value": f"{word} {place}"}]}
    body = MetadataDocument.from_dict({"timespan": [{"start": "-INF", "end": "+INF", "field": [field]}]})
    items.append(post_import_placeholder.sync(client=client, body=body, container=1).id)
item = items[0]
text = f"the words of {word}".encode()
upload = File(payload=io.BytesIO(text))
job = post_import_placeholder_by_item_by_component_raw.sync(
    item, "container", client=client, body=upload, filename="words.txt"
)
while job.status in ("READY", "STARTED", "WAITING"):
    time.sleep(0.2)
    job = get_job_by_job.sync(job.job_id, client=client)
shapes = get_item_by_item.sync(item, client=client, content=[GetItemByItemContentItem.SHAPE])
file = shapes.shape[0].binary_component[0].file[0].id
data = get_storage_file_by_file_data.sync(file, client=client)

hits = []
cursor = "*"
while cursor:
    search = ItemSearchDocument.from_dict({"text": [{"value": word}]})
    page = put_item.sync(client=client, body=search, number=2, cursor=cursor)
    hits.append(len(page.item))
    cursor = page.next_cursor
share = post_item_by_item_share.sync(item, client=client, body=ShareDocument.from_dict({"allow": ["play"]}))
for one in items:
    delete_item_by_item.sync_detailed(one, client=client)
gone = get_item_by_item.sync_detailed(item, client=client).status_code

print(
    json.dumps(
        {
            "user": get_whoami.sync(client=client),
            "job": job.status,
            "hits": hits,
            "share": share.allow,
            "isKept": data.payload.read() == text,
            "gone": gone,
        }
    )
)
