/* A module of node whose lock(MILLISECONDS) waits for a mutex that another thread holds for that long. Node-API is declared
 * here as far as it is used: node is not always installed with its headers. See https://nodejs.org/api/n-api.html. */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <time.h>

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_callback_info;
typedef napi_value napi_callback(napi_env, napi_callback_info);
int napi_get_cb_info(napi_env, napi_callback_info, size_t *, napi_value *, napi_value *, void **);
int napi_get_value_double(napi_env, napi_value, double *);
int napi_create_function(napi_env, const char *, size_t, napi_callback *, void *, napi_value *);
int napi_set_named_property(napi_env, napi_value, const char *, napi_value);
napi_value napi_register_module_v1(napi_env env, napi_value exports); /* node calls it */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t held;

static void *
hold(void *ms)
{
    pthread_mutex_lock(&mutex);
    sem_post(&held);
    long n = (long)(size_t)ms;
    nanosleep(&(struct timespec){.tv_sec = n / 1000, .tv_nsec = n % 1000 * 1000000}, NULL);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static napi_value
wait_for_lock(napi_env env, napi_callback_info info)
{
    size_t argc = 1;
    napi_value arg;
    double ms = 0;
    napi_get_cb_info(env, info, &argc, &arg, NULL, NULL);
    napi_get_value_double(env, arg, &ms);
    pthread_t thread;
    sem_init(&held, 0, 0);
    pthread_create(&thread, NULL, hold, (void *)(size_t)ms);
    sem_wait(&held);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return NULL;
}

napi_value
napi_register_module_v1(napi_env env, napi_value exports)
{
    napi_value f;
    napi_create_function(env, "lock", sizeof "lock" - 1, wait_for_lock, NULL, &f);
    napi_set_named_property(env, exports, "lock", f);
    return exports;
}
