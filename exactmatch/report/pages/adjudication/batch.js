// What the page is about

const batch = JSON.parse(byId("batch").textContent);
