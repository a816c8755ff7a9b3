// A web server with nothing but the standard library.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"time"
)

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Go app</title>
  </head>
  <body>
    <h1>Hello Go</h1>
    <p>Edit <code>main.go</code>, save and restart the task.</p>
  </body>
</html>
`

func home(answer http.ResponseWriter, request *http.Request) {
	if request.URL.Path != "/" {
		http.NotFound(answer, request)
		return
	}
	answer.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(answer, page)
}

func now(answer http.ResponseWriter, _ *http.Request) {
	answer.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(answer).Encode(map[string]string{"time": time.Now().UTC().Format(time.RFC3339)}); err != nil {
		log.Print(err)
	}
}

func main() {
	http.HandleFunc("/", home)
	http.HandleFunc("/api/time", now)
	log.Print("Listening on port 8080")
	log.Fatal(http.ListenAndServe(":8080", nil))
}
