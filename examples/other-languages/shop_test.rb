require "json"
require "minitest/autorun"
require "net/http"

class ShopTest < Minitest::Test
  def ask(request, key, body = nil)
    request["authorization"] = "Bearer #{ENV.fetch(key)}"
    request["content-type"] = "application/json"
    request["x-backlot-session"] = name
    request.body = JSON.generate(body) if body
    response = Net::HTTP.start(request.uri.host, request.uri.port) { |http| http.request(request) }
    assert_kind_of Net::HTTPSuccess, response, response.body
    JSON.parse(response.body)
  end

  def at(path)
    URI(ENV.fetch("BACKLOT_URL") + path)
  end

  def test_a_product_is_stored
    ask(Net::HTTP::Post.new(at("/rest/products")), "AUTHORIZATION_TOKEN", { title: "Cup", price: 9 })
    found = ask(Net::HTTP::Get.new(at("/rest/products?title=Cup")), "AUTHORIZATION_TOKEN")
    assert_equal([9], found["result"].map { |row| row["price"] })
  end

  def test_a_chat_answers
    body = { model: "atlas-large", messages: [{ role: "user", content: "Hello" }] }
    answer = ask(Net::HTTP::Post.new(at("/v1/chat/completions")), "OPENAI_API_KEY", body)
    assert_includes answer["choices"][0]["message"]["content"], "welcome"
  end
end
