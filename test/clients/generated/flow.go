// The flow of flow.ts, by the client that oapi-codegen makes: flow ADDRESS
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/flow/portico"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func to[T any](value T) *T { return &value }

func client(authorize func(*http.Request)) *portico.ClientWithResponses {
	editor := portico.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Accept", "application/json, text/plain;q=0.9, */*;q=0.1")
		authorize(request)
		return nil
	})
	return must(portico.NewClientWithResponses(os.Args[1]+"/API", editor))
}

func main() {
	ctx := context.Background()
	admin := client(func(request *http.Request) { request.SetBasicAuth("admin", os.Getenv("PASSWORD")) })
	token := must(admin.GetTokenWithResponse(ctx, nil)).JSON200.Token
	api := client(func(request *http.Request) { request.Header.Set("Authorization", "token "+token) })

	word := "golang"
	var items []string
	for place := 1; place <= 3; place++ {
		value := []portico.MetadataValueType{{Value: to(fmt.Sprintf("%s %d", word, place))}}
		field := []portico.MetadataFieldValueType{{Name: to("title"), Value: &value}}
		timespan := []portico.MetadataTimespanType{{Start: to("-INF"), End: to("+INF"), Field: &field}}
		params := portico.PostImportPlaceholderParams{Container: to(1)}
		made := must(api.PostImportPlaceholderWithResponse(ctx, &params, portico.MetadataDocument{Timespan: &timespan}))
		items = append(items, *made.JSON200.Id)
	}
	item := items[0]
	text := "the words of " + word
	params := portico.PostImportPlaceholderByItemByComponentRawParams{Filename: to("words.txt")}
	job := must(api.PostImportPlaceholderByItemByComponentRawWithBodyWithResponse(
		ctx, item, "container", &params, "application/octet-stream", strings.NewReader(text))).JSON200
	for strings.Contains("READY STARTED WAITING", string(job.Status)) {
		time.Sleep(200 * time.Millisecond)
		job = must(api.GetJobByJobWithResponse(ctx, job.JobId, nil)).JSON200
	}
	shapes := must(api.GetItemByItemWithResponse(ctx, item, &portico.GetItemByItemParams{Content: &[]portico.GetItemByItemParamsContent{"shape"}}))
	file := *(*(*(*shapes.JSON200.Shape)[0].BinaryComponent)[0].File)[0].Id
	data := must(api.GetStorageFileByFileDataWithResponse(ctx, file)).Body

	var hits []int
	for cursor := to("*"); cursor != nil; {
		search := portico.ItemSearchDocument{Text: &[]portico.ItemSearchTextValueType{{Value: &word}}}
		answer := must(api.PutItemWithResponse(ctx, &portico.PutItemParams{Number: to(2), Cursor: cursor}, search))
		page := must(answer.JSON200.AsItemListDocument())
		hits = append(hits, len(*page.Item))
		cursor = page.NextCursor
	}
	allow := portico.ShareDocument{Allow: &[]portico.ShareTypeAllow{portico.Play}}
	share := must(api.PostItemByItemShareWithResponse(ctx, item, allow)).JSON200
	for _, id := range items {
		must(api.DeleteItemByItemWithResponse(ctx, id, nil))
	}
	gone := must(api.GetItemByItemWithResponse(ctx, item, nil)).StatusCode()
	user := string(must(api.GetWhoamiWithResponse(ctx)).Body)

	fmt.Println(string(must(json.Marshal(map[string]any{
		"user": user, "job": job.Status, "hits": hits, "share": share.Allow, "isKept": string(data) == text, "gone": gone,
	}))))
}
