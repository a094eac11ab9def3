package shop

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

func ask(t *testing.T, method, path, key, body string) string {
	request, err := http.NewRequest(method, os.Getenv("BACKLOT_URL")+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("authorization", "Bearer "+os.Getenv(key))
	request.Header.Set("content-type", "application/json")
	request.Header.Set("x-backlot-session", t.Name())
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		t.Fatal(response.Status, string(text), err)
	}
	return string(text)
}

func TestProductIsStored(t *testing.T) {
	ask(t, "POST", "/rest/products", "AUTHORIZATION_TOKEN", `{"title": "Cup", "price": 9}`)
	found := ask(t, "GET", "/rest/products?title=Cup", "AUTHORIZATION_TOKEN", "")
	if !strings.Contains(found, `"price":9`) {
		t.Error(found)
	}
}

func TestChatAnswers(t *testing.T) {
	body := `{"model": "atlas-large", "messages": [{"role": "user", "content": "Hello"}]}`
	answer := ask(t, "POST", "/v1/chat/completions", "OPENAI_API_KEY", body)
	if !strings.Contains(answer, "welcome") {
		t.Error(answer)
	}
}
