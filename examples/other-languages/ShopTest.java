import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;

public class ShopTest {
    static final String URL = System.getenv("BACKLOT_URL");
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    final String session = UUID.randomUUID().toString();

    String ask(String method, String path, String key, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(URL + path))
            .header("authorization", "Bearer " + System.getenv(key))
            .header("content-type", "application/json")
            .header("x-backlot-session", session)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    void productIsStored() throws Exception {
        String cup = "{\"title\": \"Cup\", \"price\": 9}";
        ask("POST", "/rest/products", "AUTHORIZATION_TOKEN", cup);
        String found = ask("GET", "/rest/products?title=Cup", "AUTHORIZATION_TOKEN", "");
        if (!found.contains("\"price\":9")) throw new AssertionError(found);
    }

    void chatAnswers() throws Exception {
        String hello = "{\"role\": \"user\", \"content\": \"Hello\"}";
        String body = "{\"model\": \"atlas-large\", \"messages\": [" + hello + "]}";
        String answer = ask("POST", "/v1/chat/completions", "OPENAI_API_KEY", body);
        if (!answer.contains("welcome")) throw new AssertionError(answer);
    }

    public static void main(String[] args) throws Exception {
        new ShopTest().productIsStored();
        new ShopTest().chatAnswers();
        System.out.println("2 tests passed");
    }
}
